// Keeps the files of the data folder readable by their owner alone, whatever the umask and the folder allow.

import { chmodSync, closeSync, fchownSync, lstatSync, openSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Creates an empty file with mode 0600; throws when the name is taken, also by a symbolic link. SQLite gives its -wal and
 * -shm files the mode of the database. A file that root creates belongs to the owner of the folder, so that a command run
 * by root leaves nothing that the server cannot open.
 */
export function createPrivate(file: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    if (process.getuid?.() === 0) {
      const { uid, gid } = statSync(dirname(file));
      fchownSync(descriptor, uid, gid);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Names of the files that Tocsin writes into the data folder, with any ending: SQLite and restores add some. */
const ownFiles = /^(tocsin\.db|server\.lock|high-water\.json|newest-seal\.json|revoked-keys\.jsonl|secrets\.key)/;

/**
 * Takes the rights of others off the files that an older Tocsin or a copy left in the folder. Works by path, because
 * closing a descriptor of a SQLite file would release the locks of this process on it.
 */
export function narrowFiles(folder: string, onNotice: (sentence: string) => void = () => {}): void {
  // Windows has no modes.
  if (process.platform === 'win32') return;
  const wide = namesIn(folder).filter((name) => ownFiles.test(name) && isWide(join(folder, name)));
  const refused = wide.filter((name) => !narrow(join(folder, name)));
  const narrowed = wide.filter((name) => !refused.includes(name));
  if (narrowed.length > 0)
    onNotice(`Other users of this machine could read ${narrowed.join(', ')} in ${folder}: only the owner can now.`);
  if (refused.length > 0)
    onNotice(`Other users of this machine can read ${refused.join(', ')} in ${folder}: let the owner set mode 0600.`);
}

/** Returns nothing for a folder that cannot be listed: opening a file there reports the reason. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isWide(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && (found.mode & 0o077) !== 0;
}

function narrow(path: string): boolean {
  try {
    chmodSync(path, 0o600);
    return true;
  } catch {
    return !isWide(path);
  }
}
