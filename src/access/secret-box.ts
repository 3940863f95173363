// Encrypts the secrets of providers with AES-256-GCM; each value names the key it was made with, so that keys can be changed.

import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { providerReasonIn } from '../domain/channels/words/catalogue.ts';
import type { ProviderReason } from '../domain/channels/words/provider-reason.ts';
import { createPrivate } from '../store/private-file.ts';

const keyFileName = 'secrets.key';
/** The key that this program makes has 44 characters; a file with fewer than this was cut when the disk was full. */
const shortestKey = 16;
const nonceLength = 12;
const tagLength = 16;

type Key = { readonly id: string; readonly bytes: Buffer };

/** Why a secret cannot be read. */
export class SecretProblem extends Error {
  readonly why: ProviderReason;

  constructor(why: ProviderReason) {
    super(providerReasonIn('en', why));
    this.why = why;
  }
}

export class SecretBox {
  readonly #loadKey: () => string;
  readonly #oldKeys: readonly Key[];
  #loaded: Key | undefined;

  /**
   * Old keys are only read with. All are texts of any form; 32 bytes are derived from each. The present key is loaded with
   * the first secret, because a node without secrets may run in a folder that it cannot write.
   */
  constructor(loadKey: () => string, oldKeys: readonly string[] = []) {
    this.#loadKey = loadKey;
    this.#oldKeys = oldKeys.map(keyOf);
  }

  get #current(): Key {
    this.#loaded ??= keyOf(this.#loadKey());
    return this.#loaded;
  }

  /** `name` binds the value to its place: it cannot be moved to another field. */
  seal(secret: string, name: string): string {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', this.#current.bytes, nonce).setAAD(Buffer.from(name));
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${this.#current.id}:${sealed.toString('base64')}`;
  }

  /** Throws a `SecretProblem` if it was made with a key that is not here, or is damaged. */
  open(sealed: string, name: string): string {
    const [id = '', content = ''] = sealed.split(':');
    const key = [this.#current, ...this.#oldKeys].find((one) => one.id === id);
    if (key === undefined) throw new SecretProblem({ code: 'secret-of-another-key', name });
    const bytes = Buffer.from(content, 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, nonceLength))
        .setAAD(Buffer.from(name))
        .setAuthTag(bytes.subarray(-tagLength));
      const secret = [decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()];
      return Buffer.concat(secret).toString('utf8');
    } catch {
      throw new SecretProblem({ code: 'secret-damaged', name });
    }
  }

  /** Whether the value was made with the present key. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${this.#current.id}:`);
  }
}

function keyOf(text: string): Key {
  const bytes = Buffer.from(hash('sha256', text, 'buffer'));
  return { id: hash('sha256', bytes).slice(0, 8), bytes };
}

/** Returns the key of the data folder without making one. */
export function existingKey(folder: string): string {
  const file = join(folder, keyFileName);
  if (!existsSync(file))
    throw new Error(`the file ${keyFileName} is not in the data folder, and TOCSIN_SECRETS_KEY is not set`);
  return wholeKey(readFileSync(file, 'utf8').trim());
}

/** A key that is empty or cut could be guessed. */
function wholeKey(key: string): string {
  if (key.length >= shortestKey) return key;
  throw new Error(
    `the file ${keyFileName} of the data folder is empty or cut off: put the key back, or remove the file and enter the secrets of the providers again`,
  );
}

/** Returns the key of the data folder, which the first secret makes; it is in no backup. */
export function keyInFolder(folder: string): string {
  const file = join(folder, keyFileName);
  try {
    if (!existsSync(file)) makeKey(folder, file);
  } catch {
    throw new Error(`the file ${keyFileName} of the data folder cannot be used: set TOCSIN_SECRETS_KEY`);
  }
  return existingKey(folder);
}

/**
 * Written aside and renamed when it is on stable storage, so that a full disk or a crash leaves no part of a key; not by
 * `replaceFile`, because whoever opens a secret cannot wait.
 */
function makeKey(folder: string, file: string): void {
  const aside = `${file}.new`;
  rmSync(aside, { force: true });
  createPrivate(aside);
  writeFileSync(aside, randomBytes(32).toString('base64'), { flush: true });
  renameSync(aside, file);
  // Windows opens no folders.
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
