// Small files that are either whole or as they were, also after a power cut.

import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Puts `text` in the place of the file in one step. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const growing = `${file}.new`;
  const handle = await open(growing, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(growing, file);
  await syncFolder(dirname(file));
}

/** A rename is on stable storage only when the folder is. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot sync a folder; its file system journals renames.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
