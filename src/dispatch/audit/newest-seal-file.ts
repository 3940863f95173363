// Keeps the newest seal of the audit trail outside of the database, so that a trail whose end was removed is told from a whole one.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownSeal } from '../../domain/audit/verify.ts';
import { replaceFile } from '../../store/backup/durable-file.ts';

export function newestSealFile(folder: string): string {
  return join(folder, 'newest-seal.json');
}

export async function keepNewestSeal(folder: string, { id, chain, hash }: KnownSeal): Promise<void> {
  await replaceFile(newestSealFile(folder), `${JSON.stringify({ id, chain, hash })}\n`);
}

/** Returns undefined when there is none, or when it is unreadable. */
export function readNewestSeal(folder: string): KnownSeal | undefined {
  try {
    return JSON.parse(readFileSync(newestSealFile(folder), 'utf8')) as KnownSeal;
  } catch {
    return undefined;
  }
}
