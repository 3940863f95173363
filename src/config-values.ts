// Parsers and checks of setting values; each parser throws an Error whose message says what was expected.

import { existsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';

export type CallCap = { readonly attempts: number; readonly windowMs: number };

export const text = (value: string): string => value;

/** As the interface accepts the `siteName` of a call policy. */
export function siteName(value: string): string {
  if (!/^[^\p{Cc}\u2028\u2029\p{Co}]{0,60}$/u.test(value))
    throw new Error('must have at most 60 characters, none of them a control character');
  return value.trim();
}

export function wholeNumber(low: number, high: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= low && number <= high)) throw new Error(`must be a whole number from ${low} to ${high}`);
    return number;
  };
}

export function trueOrFalse(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new Error('must be true or false');
  return value === 'true';
}

export function oneOf<T extends string>(values: readonly T[]): (value: string) => T {
  return (value) => {
    const found = values.find((candidate) => candidate === value);
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return found;
  };
}

export function databaseUrl(value: string): string {
  if (!/^postgres(ql)?:\/\/[^/]+\/[^/]+/.test(value) || !URL.canParse(value)) {
    throw new Error('must look like postgres://user:password@host:5432/database');
  }
  return value;
}

export function basePath(value: string): string {
  if (value === '' || value === '/') return '';
  if (!/^(\/[A-Za-z0-9._~-]+)+$/.test(value))
    throw new Error('must look like /alertws: a leading slash, none at the end');
  return value;
}

export function timeZone(value: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    throw new Error('must be an IANA time zone such as Europe/Paris');
  }
}

/** Returned as written, because the names of alarms are found by the tags that their senders wrote. */
export function languageTag(value: string): string {
  try {
    Intl.getCanonicalLocales(value);
    return value;
  } catch {
    throw new Error('must be a language tag such as fr or de-CH');
  }
}

export function addresses(value: string): readonly string[] {
  const list = value.split(',').map((part) => part.trim());
  const isAddress = (part: string): boolean => {
    const [address = '', bits] = part.split('/');
    return isIP(address) !== 0 && (bits === undefined || /^\d{1,3}$/.test(bits));
  };
  if (!list.every(isAddress))
    throw new Error('must be addresses or networks with commas between, such as 10.0.0.1,192.168.1.0/24');
  return list;
}

export function origins(value: string): readonly string[] {
  const list = value.split(',').map((part) => part.trim());
  const isOrigin = (part: string): boolean => URL.canParse(part) && new URL(part).origin === part;
  if (!list.every(isOrigin))
    throw new Error('must be origins with commas between, such as https://console.example.org,http://10.0.0.5:8080');
  return list;
}

export function webAddress(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new Error('must be an address such as http://10.0.0.5:8080');
  return value;
}

export function contact(value: string): string {
  if (!/^(mailto|https|tel):[^\s]+$/.test(value) || !URL.canParse(value))
    throw new Error(
      'must be an address such as mailto:security@example.org, https://example.org/report or tel:+4930123456',
    );
  return value;
}

export function priorities(value: string): readonly number[] {
  if (value === 'none') return [];
  return value.split(',').map((part) => {
    if (!/^[1-9]\d{0,8}$/.test(part.trim()))
      throw new Error('must be priorities with commas between, such as 1,2, or none');
    return Number(part);
  });
}

export function callCap(value: string): CallCap | undefined {
  if (value === 'off') return undefined;
  const [, attempts, minutes] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(value) ?? [];
  if (attempts === undefined) throw new Error('must be attempts/minutes, such as 30/15, or off');
  return { attempts: Number(attempts), windowMs: Number(minutes) * 60_000 };
}

export function paths(value: string): readonly string[] {
  const list = value.split(',').map((part) => part.trim());
  if (!list.every((part) => /^(\/[A-Za-z0-9._~-]+)+$/.test(part)))
    throw new Error('must be paths with commas between, such as /alarmHub,/signalr');
  return list;
}

export function password(value: string): string {
  if (value.length < 8 || value.length > 1024) throw new Error('must have 8 to 1024 characters');
  return value;
}

export function readableFile(value: string): string {
  if (!existsSync(value)) throw new Error('must name a file that exists');
  return resolve(value);
}

export function readableFolder(value: string): string {
  if (!existsSync(value) || !statSync(value).isDirectory()) throw new Error('must name a folder that exists');
  return resolve(value);
}

/** Root is refused. */
export function userIds(value: string): { readonly uid: number; readonly gid: number } {
  const [, uid, gid = uid] = /^([1-9]\d{0,9})(?::(\d{1,10}))?$/.exec(value) ?? [];
  if (uid === undefined) throw new Error('must be the number of a user other than root, such as 1001, or 1001:1001');
  return { uid: Number(uid), gid: Number(gid) };
}

/** A program and its arguments, which are given to it as they are: no shell reads them. */
export function commandWords(value: string): readonly string[] {
  const words = [...value.matchAll(/"([^"]*)"|([^\s"]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  if (words[0] === undefined || words[0] === '' || value.replace(/"[^"]*"/g, '').includes('"'))
    throw new Error('must be a program and its arguments with spaces between, such as espeak-ng -v {voice} --stdout');
  return words;
}

/** A voice does not begin with a hyphen, where the program would take it for an option. */
export function voices(value: string): ReadonlyMap<string, string> {
  const pairs = value
    .split(',')
    .map((part) => /^([a-z]{2,3}(?:-[a-z0-9]{2,8})*)=([\w./+][\w./+-]{0,127})$/i.exec(part.trim()));
  const isWhole = pairs.every((pair) => pair !== null);
  if (!isWhole) throw new Error('must be languages and voices with commas between, such as en=en-gb,fr=fr');
  return new Map(pairs.map((pair) => [(pair?.[1] ?? '').toLowerCase(), pair?.[2] ?? '']));
}

/** Whether only this machine reaches the host. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost' || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

/** Counts the letters to change between two names of settings, for finding a misspelled one. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Returns words that suggest the name most like a mistyped one, if there is one. */
export function nearestOf(names: readonly string[], name: string): string {
  const close = names.find(
    (known) => known.startsWith(name) || name.startsWith(known) || editDistance(known, name) <= 2,
  );
  return close === undefined ? '' : `; did you mean ${close}?`;
}

/** All mistakes in the settings; its message is printed unchanged. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(
      `The settings have ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.mistakes = mistakes;
  }
}
