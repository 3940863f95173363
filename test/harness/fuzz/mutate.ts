// Mistakes in what peers send: valid samples with bytes and lines changed, left out, repeated, mixed and grown, by seed.

import type { Chance } from '../chance.ts';

/** What has broken parsers before: extremes of numbers, ends of lines and texts, encodings, quotes. */
const words: readonly string[] = [
  ...['0', '-1', '1', '255', '256', '65535', '65536', '70000', '2147483648', '4294967296', '99999999999999999999'],
  ...['', ' ', '\t', '\r', '\n', '\r\n', '\r\n\r\n', '\0', '\x1e', '\x7f', '\xff\xfe', '\xc3\x28', '\xed\xa0\x80'],
  ...['"', "'", '\\', '<', '>', '(', ')', '[', ']', '{', '}', ';', ',', ':', '=', '%', '%0d%0a', '%zz', '&', '#', '*'],
  ...['null', 'NaN', '1e999', '-0', 'true', '{}', '[]', '__proto__', 'constructor', 'toString', 'NIL', '\\u0000'],
  ...['127.0.0.1', '0.0.0.0', '[::1]', '[::ffff:0:127.0.0.1]', 'a'.repeat(300), '='.repeat(300), ' '.repeat(300)],
];

const mostGrowth = 3_000;

type Mistake = (bytes: Buffer, chance: Chance, others: readonly Buffer[]) => Buffer;

/** A part of the text: from, and up to. */
function partOf(bytes: Buffer, chance: Chance, most = 60): readonly [from: number, to: number] {
  const from = chance.int(0, bytes.length + 1);
  return [from, Math.min(bytes.length, from + chance.int(0, most))];
}

function replaced(bytes: Buffer, from: number, to: number, by: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, from), by, bytes.subarray(to)]);
}

/** One of the places that match, as a part. */
function placeOf(bytes: Buffer, chance: Chance, what: RegExp): readonly [from: number, to: number] | undefined {
  const found = [...bytes.toString('latin1').matchAll(what)];
  const one = found.length === 0 ? undefined : chance.pick(found);
  return one && [one.index, one.index + one[0].length];
}

const wordOf = (chance: Chance): Buffer => Buffer.from(chance.pick(words), 'latin1');

const mistakes: readonly Mistake[] = [
  (bytes, chance) => {
    const changed = Buffer.from(bytes);
    if (changed.length > 0) changed[chance.int(0, changed.length)] = chance.int(0, 256);
    return changed;
  },
  (bytes, chance) => replaced(bytes, ...partOf(bytes, chance), Buffer.alloc(0)),
  (bytes, chance) => {
    const [from, to] = partOf(bytes, chance);
    return replaced(bytes, from, from, bytes.subarray(from, to));
  },
  (bytes, chance) => {
    const [from] = partOf(bytes, chance);
    return replaced(bytes, from, from, wordOf(chance));
  },
  (bytes, chance) => {
    const place = placeOf(bytes, chance, /\d+/g);
    return place === undefined ? bytes : replaced(bytes, ...place, wordOf(chance));
  },
  (bytes, chance) => {
    const place = placeOf(bytes, chance, /[^\r\n:=;,]+/g);
    return place === undefined ? bytes : replaced(bytes, ...place, wordOf(chance));
  },
  (bytes, chance) => {
    const place = placeOf(bytes, chance, /.*\n?/g);
    return place === undefined ? bytes : replaced(bytes, place[0], place[0], bytes.subarray(...place));
  },
  (bytes, chance) => {
    const place = placeOf(bytes, chance, /.*\n?/g);
    return place === undefined ? bytes : replaced(bytes, ...place, Buffer.alloc(0));
  },
  (bytes, chance) => bytes.subarray(0, chance.int(0, bytes.length + 1)),
  (bytes, chance) => {
    const [from, to] = partOf(bytes, chance, 8);
    const part = bytes.subarray(from, to);
    if (part.length === 0) return bytes;
    const times = chance.int(2, Math.floor(mostGrowth / part.length));
    return replaced(bytes, from, to, Buffer.concat(Array.from({ length: times }, () => part)));
  },
  (bytes, chance, others) => {
    if (others.length === 0) return bytes;
    const other = chance.pick(others);
    const [from, to] = partOf(bytes, chance, 200);
    return replaced(bytes, from, to, other.subarray(...partOf(other, chance, 200)));
  },
];

/** Returns the sample with one to four mistakes; every tenth goes as it is, so that the other side goes on. */
export function mutated(sample: Buffer | string, chance: Chance, others: readonly Buffer[] = []): Buffer {
  let bytes: Buffer = typeof sample === 'string' ? Buffer.from(sample, 'latin1') : sample;
  if (chance.percent(10)) return bytes;
  for (let left = chance.int(1, 5); left > 0; left -= 1) bytes = chance.pick(mistakes)(bytes, chance, others);
  return bytes;
}
