// Checks the header and the trailer of a gzip file. Readers of gzip ignore most of the header and anything behind the trailer, so that a
// backup with changed bytes there would pass for one that is as it was written.

import { open } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { crc32 } from 'node:zlib';

const headerBytes = 10;
const trailerBytes = 8;
/** The last byte of the header names the system it was made on. */
const systemByte = 9;
const unnamedSystem = 0xff;
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, unnamedSystem]);
/** Backups of earlier versions name the system: Unix, Windows or macOS. */
const earlierSystems: readonly number[] = [3, 10, 19];

/** Makes the header the same on every system. */
export function plainHeader(): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const place = systemByte - passed;
      if (place >= 0 && place < chunk.length) chunk[place] = unnamedSystem;
      passed += chunk.length;
      done(null, chunk);
    },
  });
}

/** Compares the first and the last bytes of a file with the content that was read out of it. */
export class GzipEnvelope {
  #checksum = 0;
  #length = 0;

  add(content: Buffer): void {
    this.#checksum = crc32(content, this.#checksum);
    this.#length += content.length;
  }

  async isAround(file: string): Promise<boolean> {
    const handle = await open(file, 'r');
    try {
      const stats = await handle.stat();
      // A pipe cannot be read a second time; its content has a checksum of its own.
      if (!stats.isFile()) return true;
      const first = Buffer.alloc(headerBytes);
      const last = Buffer.alloc(trailerBytes);
      await handle.read(first, 0, headerBytes, 0);
      await handle.read(last, 0, trailerBytes, stats.size - trailerBytes);
      const isWhole = last.readUInt32LE(0) === this.#checksum && last.readUInt32LE(4) === this.#length % 2 ** 32;
      return isWhole && isHeader(first);
    } finally {
      await handle.close();
    }
  }
}

function isHeader(bytes: Buffer): boolean {
  if (bytes.equals(header)) return true;
  const system = bytes[systemByte] ?? 0;
  const isEarlier = earlierSystems.includes(system) && [0, 2, 4].includes(bytes[systemByte - 1] ?? -1);
  return isEarlier && bytes.subarray(0, systemByte - 1).equals(header.subarray(0, systemByte - 1));
}
