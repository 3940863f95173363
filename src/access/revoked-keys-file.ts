// The revoked API keys in a file outside the database, so that a backup restored after the loss of the database does not
// revive them.
//
// One line of JSON per key, appended after the revocation has been committed. A key is known by the hash of its token,
// which no other key ever has.

import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { RevokedKey } from '../operations/access/revoked-keys.ts';
import { createPrivate } from '../store/private-file.ts';

export function revokedKeysFile(folder: string): string {
  return join(folder, 'revoked-keys.jsonl');
}

/** Returns the keys in the file of `folder`, without lines that a crash cut off; none when there is no file. */
export function readRevokedKeys(folder: string): readonly RevokedKey[] {
  return textOf(folder).split('\n').flatMap(keyIn);
}

function textOf(folder: string): string {
  try {
    return readFileSync(revokedKeysFile(folder), 'utf8');
  } catch {
    return '';
  }
}

function keyIn(line: string): RevokedKey[] {
  try {
    const key = JSON.parse(line) as RevokedKey;
    return typeof key.tokenHash === 'string' && Number.isSafeInteger(key.expiresAt) ? [key] : [];
  } catch {
    return [];
  }
}

/**
 * Appends the keys that the file lacks and syncs it. Two processes may do so at once: each appends whole lines, and a key
 * may be in the file twice.
 */
export async function appendRevokedKeys(folder: string, keys: readonly RevokedKey[]): Promise<void> {
  const known = new Set(readRevokedKeys(folder).map(({ tokenHash }) => tokenHash));
  const missing = keys.filter(({ tokenHash }) => !known.has(tokenHash));
  if (missing.length === 0) return;
  const file = revokedKeysFile(folder);
  try {
    createPrivate(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const handle = await open(file, 'a');
  try {
    // Begins with a line feed, because a crash may have cut off the last line.
    await handle.appendFile(missing.map((key) => `\n${JSON.stringify(key)}`).join(''));
    await handle.sync();
  } finally {
    await handle.close();
  }
}
