// The file of the library that draws the reference (decision 20).

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AppError } from '../../errors.ts';

/** Where bin/bundle.mjs puts it: beside the bundled server. */
const besideServer = new URL('reference.js', import.meta.url);
/** For a server that runs from its sources. Imported by its address, so that no bundle contains it. */
const maker = new URL('../../../bin/reference-library.mjs', import.meta.url);

export type LibraryFile = { readonly bytes: Uint8Array; readonly etag: string };

export async function readLibrary(): Promise<LibraryFile> {
  const bytes = await readFile(besideServer).catch(fromPackage);
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

async function fromPackage(): Promise<Uint8Array> {
  try {
    const { referenceLibrary } = await import(maker.href);
    return await referenceLibrary();
  } catch (cause) {
    const sentence = 'The library of the reference is not installed: it is a development package.';
    throw new AppError('not-found', sentence, { cause });
  }
}
