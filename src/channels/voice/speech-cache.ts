// Sounds that were spoken before, in a folder of bounded size: the least recently used go first, and damaged files are made anew.

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileName = /^[0-9a-f]{64}\.sound$/;
const magic = Buffer.from('TOCSND01', 'latin1');
const headerBytes = magic.length + 32;

type Entry = { readonly bytes: number; readonly usedAt: number };

/** A cache never fails its caller: what cannot be read is made again, and what cannot be written is reported. */
export class SpeechCache {
  readonly #folder: string;
  readonly #mostBytes: number;
  readonly #onTrouble: (error: unknown) => void;
  /** In the order of use, the least recent first. */
  #entries: Promise<Map<string, number>> | undefined;

  constructor(folder: string, mostBytes: number, onTrouble: (error: unknown) => void) {
    this.#folder = folder;
    this.#mostBytes = mostBytes;
    this.#onTrouble = onTrouble;
  }

  /** The sound of this key; undefined when there is none, or none that is whole. `key` is 64 hexadecimal digits. */
  async get(key: string): Promise<Int16Array | undefined> {
    const path = this.#path(key);
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes === undefined) return undefined;
    const samples = samplesIn(bytes);
    const entries = await this.#load();
    entries.delete(key);
    if (samples === undefined) await rm(path, { force: true }).catch(this.#onTrouble);
    else {
      entries.set(key, bytes.length);
      const now = new Date();
      await utimes(path, now, now).catch(this.#onTrouble);
    }
    return samples;
  }

  /** Stores the sound under a temporary name first, so that no half of it is ever found, and removes the oldest. */
  async put(key: string, samples: Int16Array): Promise<void> {
    const bytes = fileOf(samples);
    if (bytes.length > this.#mostBytes) return;
    try {
      const entries = await this.#load();
      const temporary = join(this.#folder, `${randomUUID()}.part`);
      await writeFile(temporary, bytes, { mode: 0o600 });
      await rename(temporary, this.#path(key));
      entries.delete(key);
      entries.set(key, bytes.length);
      await this.#shrink(entries);
    } catch (error) {
      this.#onTrouble(error);
    }
  }

  #path(key: string): string {
    return join(this.#folder, `${key}.sound`);
  }

  async #shrink(entries: Map<string, number>): Promise<void> {
    let total = [...entries.values()].reduce((sum, bytes) => sum + bytes, 0);
    for (const [key, bytes] of entries) {
      if (total <= this.#mostBytes) return;
      entries.delete(key);
      total -= bytes;
      await rm(this.#path(key), { force: true });
    }
  }

  /** Reads the folder once. Files that a stopped process left half written are removed. */
  #load(): Promise<Map<string, number>> {
    this.#entries ??= this.#readFolder().catch((error) => {
      this.#entries = undefined;
      throw error;
    });
    return this.#entries;
  }

  async #readFolder(): Promise<Map<string, number>> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const found: (readonly [string, Entry])[] = [];
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      if (name.endsWith('.part')) await rm(path, { force: true });
      if (!fileName.test(name)) continue;
      const { size, mtimeMs } = await stat(path);
      found.push([name.slice(0, 64), { bytes: size, usedAt: mtimeMs }]);
    }
    found.sort(([, one], [, other]) => one.usedAt - other.usedAt);
    return new Map(found.map(([key, { bytes }]) => [key, bytes]));
  }
}

/** Samples are stored in the byte order of this machine: the folder does not leave it. */
function fileOf(samples: Int16Array): Buffer {
  const body = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return Buffer.concat([magic, digestOf(body), body]);
}

function samplesIn(bytes: Buffer): Int16Array | undefined {
  const body = bytes.subarray(headerBytes);
  const isOurs = body.length % 2 === 0 && bytes.subarray(0, magic.length).equals(magic);
  if (!isOurs || !digestOf(body).equals(bytes.subarray(magic.length, headerBytes))) return undefined;
  // A copy, because samples begin at even addresses.
  return new Int16Array(new Uint8Array(body).buffer);
}

function digestOf(body: Uint8Array): Buffer {
  return createHash('sha256').update(body).digest();
}
