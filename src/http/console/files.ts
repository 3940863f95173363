// The files of the built console: read from where the build put them, each with its compressed copy.

import { readFile } from 'node:fs/promises';
import { ReadyFile } from '../ready-file.ts';

/**
 * Where bin/build-console.mjs puts them: beside the shipped server, or in `.cache` of a clone, which is three folders above both
 * its sources and the bundles of its server.
 */
const folders = ['console/', '../../../.cache/console/'].map((path) => new URL(path, import.meta.url));

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  woff2: 'font/woff2',
  webmanifest: 'application/manifest+json',
};

/** Names of the build: no folder above, nothing hidden. */
const namePattern = /^(?:assets\/)?[\w-][\w.-]*\.(\w+)$/;

export class ConsoleFiles {
  readonly #known = new Map<string, Promise<ReadyFile | undefined>>();

  /** Returns a file of the console; undefined if there is none, or the console is not built. */
  read(name: string): Promise<ReadyFile | undefined> {
    const type = types[namePattern.exec(name)?.[1] ?? ''];
    if (type === undefined) return Promise.resolve(undefined);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const file = readFrom(name, type).then((found) => {
      // A console that is built later must be found.
      if (found === undefined) this.#known.delete(name);
      return found;
    });
    this.#known.set(name, file);
    return file;
  }
}

async function readFrom(name: string, type: string): Promise<ReadyFile | undefined> {
  for (const folder of folders) {
    const bytes = await readFile(new URL(name, folder)).catch(() => undefined);
    if (bytes === undefined) continue;
    return ReadyFile.of(type, bytes, await readFile(new URL(`${name}.br`, folder)).catch(() => undefined));
  }
  return undefined;
}
