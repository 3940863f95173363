// The file of the library that draws the reference (decision 20).

import { readFile } from 'node:fs/promises';
import { AppError } from '../../errors.ts';

/** Where bin/bundle.mjs puts it: beside the bundled server. */
const besideServer = new URL('reference.js', import.meta.url);
/** For a server that runs from its sources. Imported by its address, so that no bundle contains it. */
const maker = new URL('../../../bin/reference-library.mjs', import.meta.url);

export function readLibrary(): Promise<Uint8Array> {
  return readFile(besideServer).catch(fromPackage);
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
