// Secrets open with the key they were made with, and with no other; a changed key reads those of the former one.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { existingKey, keyInFolder, SecretBox } from './secret-box.ts';

test('a sealed secret opens again and shows nothing of itself', () => {
  const box = new SecretBox(() => 'key');
  const sealed = box.seal('correct horse', 'password');
  assert.equal(box.open(sealed, 'password'), 'correct horse');
  assert.doesNotMatch(Buffer.from(sealed.split(':')[1] ?? '', 'base64').toString('latin1'), /horse/);
  assert.notEqual(sealed, box.seal('correct horse', 'password'), 'each time with another nonce');
});

test('another key names the secret to enter again', () => {
  const sealed = new SecretBox(() => 'key').seal('secret', 'password');
  assert.throws(
    () => new SecretBox(() => 'other').open(sealed, 'password'),
    /the secret "password" was encrypted with another/,
  );
});

test('a secret that was changed, or moved to another field, does not open', () => {
  const box = new SecretBox(() => 'key');
  const sealed = box.seal('secret', 'password');
  const [id, content = ''] = sealed.split(':');
  const bytes = Buffer.from(content, 'base64');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  assert.throws(() => box.open(`${id}:${bytes.toString('base64')}`, 'password'), /damaged/);
  assert.throws(() => box.open(sealed, 'token'), /damaged/);
});

test('after a change of the key former secrets are read and made anew', () => {
  const sealed = new SecretBox(() => 'old').seal('secret', 'password');
  const box = new SecretBox(() => 'new', ['old']);
  assert.equal(box.isCurrent(sealed), false);
  const anew = box.seal(box.open(sealed, 'password'), 'password');
  assert.equal(box.isCurrent(anew), true);
  assert.equal(new SecretBox(() => 'new').open(anew, 'password'), 'secret');
});

test('a key file that is empty or cut off, as a full disk leaves it, is refused and not used as a key', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-key-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'secrets.key');
  for (const left of ['', '\n', 'c2hvcnQ']) {
    writeFileSync(file, left);
    for (const read of [keyInFolder, existingKey])
      assert.throws(() => read(folder), /secrets\.key of the data folder is empty or cut off: put the key back/);
  }
});

test('a key is made once, for its owner alone, whatever an interrupted write left beside it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-key-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'secrets.key.new'), 'half');
  const key = keyInFolder(folder);
  assert.equal(Buffer.from(key, 'base64').length, 32);
  assert.equal(keyInFolder(folder), key);
  assert.deepEqual(readdirSync(folder), ['secrets.key']);
  if (process.platform !== 'win32') assert.equal(statSync(join(folder, 'secrets.key')).mode & 0o777, 0o600);
});
