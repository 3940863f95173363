// Passwords: which are good enough, how they are hashed, and how one is checked without telling more than yes or no.

import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '../errors.ts';
import { isCommonPassword } from './common-passwords.ts';

/** OWASP's minimum for argon2id. Each takes 19 MiB and some 50 ms of a core, off the event loop. */
const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;

export const shortestPassword = 8;
const longest = 1_024;

/** More at a time would let a flood of sign-ins take the machine's memory. */
const mostAtATime = 2;
const mostWaiting = 50;

const derive = promisify(argon2);

/** Throws unless people may use this as a password. */
export async function refuseWeakPassword(password: string): Promise<void> {
  const message = await weaknessOf(password);
  if (message === undefined) return;
  throw new AppError('unprocessable', `The password ${message}.`, { errors: [{ field: 'password', message }] });
}

async function weaknessOf(password: string): Promise<string | undefined> {
  const length = [...password].length;
  if (length < shortestPassword) return `must have at least ${shortestPassword} characters`;
  if (length > longest) return `must have at most ${longest} characters`;
  if (await isCommonPassword(password)) return 'is one of the most common ones and would be guessed at once';
  return undefined;
}

/** Some eighty random bits, in letters that are not mistaken for one another when read off a screen. */
export function readablePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const picked = Array.from({ length: 16 }, () => letters[randomInt(letters.length)]);
  return picked.join('').replace(/(.{4})(?=.)/g, '$1-');
}

/** The hash to store, with its salt and cost inside, in the usual PHC form. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const tag = await inTurn(() => deriveTag(password, salt, cost));
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

/** Whether the password belongs to the hash, at the cost it was made with. Without a hash it takes as long and says no. */
export async function passwordMatches(password: string, hash: string | undefined): Promise<boolean> {
  const stored = hash === undefined ? undefined : partsOf(hash);
  const derived = await inTurn(() => deriveTag(password, stored?.salt ?? randomBytes(16), stored?.cost ?? cost));
  return stored !== undefined && stored.tag.length === derived.length && timingSafeEqual(stored.tag, derived);
}

type Cost = { readonly memory: number; readonly passes: number; readonly parallelism: number };

function deriveTag(password: string, nonce: Buffer, { memory, passes, parallelism }: Cost): Promise<Buffer> {
  return derive('argon2id', { memory, passes, parallelism, tagLength, message: password.normalize('NFC'), nonce });
}

function partsOf(hash: string): { readonly cost: Cost; readonly salt: Buffer; readonly tag: Buffer } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (match === null) throw new Error('A stored password hash is not of a known form');
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= mostAtATime) {
    if (waiting.length >= mostWaiting) {
      throw new AppError('unavailable', 'Too many sign-ins at once. Try again shortly.', { retryAfterSeconds: 5 });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}
