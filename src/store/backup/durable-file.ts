// Replaces small files atomically: after a power cut a file is either new or unchanged.

import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createPrivate } from '../private-file.ts';

/** Replaces the content of the file with `text` in one step; only its owner may read it. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.new`;
  await rm(temporary, { force: true });
  createPrivate(temporary);
  const handle = await open(temporary, 'r+');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  await syncFolder(dirname(file));
}

/** Syncs the folder, without which a rename is not on stable storage. */
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
