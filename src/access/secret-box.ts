// Encrypts the secrets of providers with AES-256-GCM; each value names the key it was made with, so that keys can be changed.

import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivate } from '../store/private-file.ts';

const keyFileName = 'secrets.key';
const nonceLength = 12;
const tagLength = 16;

type Key = { readonly id: string; readonly bytes: Buffer };

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

  /** Throws an Error that names the secret if it was made with a key that is not here. */
  open(sealed: string, name: string): string {
    const [id = '', content = ''] = sealed.split(':');
    const key = [this.#current, ...this.#oldKeys].find((one) => one.id === id);
    if (key === undefined)
      throw new Error(
        `the secret "${name}" was encrypted with another key: enter it again, or give this server that key`,
      );
    const bytes = Buffer.from(content, 'base64');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, nonceLength))
        .setAAD(Buffer.from(name))
        .setAuthTag(bytes.subarray(-tagLength));
      const secret = [decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()];
      return Buffer.concat(secret).toString('utf8');
    } catch {
      throw new Error(`the secret "${name}" is damaged: enter it again`);
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
  return readFileSync(file, 'utf8').trim();
}

/** Returns the key of the data folder, which the first secret makes; it is in no backup. */
export function keyInFolder(folder: string): string {
  const file = join(folder, keyFileName);
  try {
    if (!existsSync(file)) {
      createPrivate(file);
      writeFileSync(file, randomBytes(32).toString('base64'));
    }
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new Error(`the file ${keyFileName} of the data folder cannot be used: set TOCSIN_SECRETS_KEY`);
  }
}
