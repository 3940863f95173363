// Checks password strength, hashes passwords with argon2id, and verifies them in constant time.

import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '../errors.ts';
import { decoratedWord, isCommonPassword } from './common-passwords.ts';
import { inHashingTurn } from './hashing-queue.ts';

/** The cost of computing a hash: KiB of memory, passes over them, and lanes. */
export type PasswordCost = { readonly memory: number; readonly passes: number; readonly parallelism: number };

/** OWASP's minimum for argon2id. Each hash takes 19 MiB and about 50 ms of a core, outside the event loop. */
const serverCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;

export const minPasswordLength = 8;
const maxLength = 1_024;

const derive = promisify(argon2);

/** Throws unless the password is strong enough for the user of this name. */
export async function refuseWeakPassword(password: string, userName: string): Promise<void> {
  const message = await weaknessOf(password, userName);
  if (message === undefined) return;
  throw new AppError('unprocessable', `The password ${message}.`, { errors: [{ field: 'password', message }] });
}

async function weaknessOf(password: string, userName: string): Promise<string | undefined> {
  const length = [...password].length;
  if (length < minPasswordLength) return `must have at least ${minPasswordLength} characters`;
  if (length > maxLength) return `must have at most ${maxLength} characters`;
  if (await isCommonPassword(password)) return 'is one of the most common ones and would be guessed at once';
  if (password.toLowerCase() === userName.toLowerCase()) return 'must not be the name of the user';
  const word = await decoratedWord(password, userName);
  if (word !== undefined) return `is only "${word}" with digits or signs around it, which is guessed soon`;
  return undefined;
}

/** Returns about eighty random bits, in characters that are not confused when read off a screen. */
export function readablePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const picked = Array.from({ length: 16 }, () => letters[randomInt(letters.length)]);
  return picked.join('').replace(/(.{4})(?=.)/g, '$1-');
}

/** Returns the hash to store, with its salt and cost, in PHC format. */
export async function hashPassword(password: string, cost = serverCost): Promise<string> {
  const salt = randomBytes(16);
  const tag = await inHashingTurn('known', () => deriveTag(password, salt, cost));
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

/** Whether the password matches the hash; waits for its turn to hash. */
export function passwordMatches(password: string, hash: string | undefined): Promise<boolean> {
  return inHashingTurn('known', () => passwordMatchesNow(password, hash));
}

/**
 * Whether the password matches the hash, at the hash's own cost. Without a hash it takes as long, at `usualCost`, and
 * returns false. Only for callers that have a hashing turn.
 */
export async function passwordMatchesNow(
  password: string,
  hash: string | undefined,
  usualCost = serverCost,
): Promise<boolean> {
  const stored = hash === undefined ? undefined : partsOf(hash);
  const derived = await deriveTag(password, stored?.salt ?? randomBytes(16), stored?.cost ?? usualCost);
  return stored !== undefined && stored.tag.length === derived.length && timingSafeEqual(stored.tag, derived);
}

function deriveTag(password: string, nonce: Buffer, { memory, passes, parallelism }: PasswordCost): Promise<Buffer> {
  return derive('argon2id', { memory, passes, parallelism, tagLength, message: password.normalize('NFC'), nonce });
}

function partsOf(hash: string): { readonly cost: PasswordCost; readonly salt: Buffer; readonly tag: Buffer } {
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
  return bytes.toString('base64').replaceAll('=', '');
}
