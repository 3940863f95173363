// Tests that passwords are hashed at OWASP's cost, verified, and refused when weak.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import words from './common-passwords.json' with { type: 'json' };
import { hashPassword, passwordMatches, readablePassword, refuseWeakPassword } from './password.ts';

test('a password matches its own hash and no other', async () => {
  const hash = await hashPassword('correct horse');
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  assert.equal(await passwordMatches('correct horse', hash), true);
  assert.equal(await passwordMatches('correct horsE', hash), false);
  assert.notEqual(await hashPassword('correct horse'), hash, 'every hash has its own salt');
});

test('a hash made by another program with other cost parameters is verified', async () => {
  // printf 'a long password' | argon2 saltsaltsalt -id -t 1 -m 8 -p 1 -l 16 -e
  const salt = Buffer.from('saltsaltsalt').toString('base64');
  const { argon2Sync } = await import('node:crypto');
  const tag = argon2Sync('argon2id', {
    message: 'a long password',
    nonce: 'saltsaltsalt',
    memory: 256,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  });
  const hash = `$argon2id$v=19$m=256,t=1,p=1$${salt}$${tag.toString('base64').replace(/=+$/, '')}`;
  assert.equal(await passwordMatches('a long password', hash), true);
});

test('a user without a password hash never matches', async () =>
  assert.equal(await passwordMatches('anything', undefined), false));

test('a user without a password hash takes as much processor time as one with a hash', async () => {
  const hash = await hashPassword('correct horse');
  const used = { known: 0, unknown: 0 };
  // Hashing runs in threads of the process, whose other threads are idle.
  const measure = async (kind: keyof typeof used, stored: string | undefined) => {
    const before = process.cpuUsage();
    await passwordMatches('a wrong guess', stored);
    const { user, system } = process.cpuUsage(before);
    used[kind] += user + system;
  };
  for (let n = 0; n < 10; n++) {
    await measure('known', hash);
    await measure('unknown', undefined);
  }
  const ratio = used.unknown / used.known;
  assert.ok(ratio > 0.7 && ratio < 1.4, `ratio ${ratio}`);
});

test('passwords are compared after Unicode normalisation', async () => {
  assert.equal(await passwordMatches('caf\u0065\u0301 noir', await hashPassword('caf\u00e9 noir')), true);
});

for (const weak of ['', 'short', '1234567', 'x'.repeat(1_025)]) {
  test(`"${weak.slice(0, 20)}" is refused for its length`, () =>
    assert.rejects(refuseWeakPassword(weak, 'ana'), {
      message: /^The password must have at (?:least 8|most 1024) characters\.$/,
    }));
}

const guessed = { message: 'The password is one of the most common ones and would be guessed at once.' };

for (const weak of [
  'password',
  'PassWord',
  '12345678',
  'Trustno1',
  '29101987',
  'aaaaaaaaaaaa',
  'Motdepasse',
  'TOCSIN123',
])
  test(`"${weak}" is refused as a common password`, () => assert.rejects(refuseWeakPassword(weak, 'ana'), guessed));

test('the list has 10,000 unique lower-case passwords, and all of them are refused', async () => {
  assert.equal(new Set(words).size, 10_000);
  for (const word of words) {
    assert.equal(word, word.toLowerCase());
    await assert.rejects(refuseWeakPassword(word, 'ana'), guessed);
  }
});

test('good passwords are accepted, without rules about digits and symbols', async () => {
  for (const good of [
    'correct horse',
    'ein langer Satz',
    '日本語のパスワード',
    'password of the pumps',
    readablePassword(),
  ])
    await refuseWeakPassword(good, 'ana');
});

test('a generated password consists of unambiguous characters', () => {
  assert.match(readablePassword(), /^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){3}$/);
  assert.notEqual(readablePassword(), readablePassword());
});

test('a guessable word with digits and signs around it is refused with the reason, and so is the name of the user', async () => {
  const cases: readonly [password: string, user: string, reason: RegExp][] = [
    ['admin123!', 'ana', /only "admin" with digits/],
    ['password2026', 'ana', /only "password" with digits/],
    ['Tocsin2026!', 'ana', /only "tocsin" with digits/],
    ['2026-Hennequin', 'hennequin', /only "hennequin" with digits/],
    ['Hennequin', 'hennequin', /must not be the name of the user/],
  ];
  for (const [password, user, message] of cases) await assert.rejects(refuseWeakPassword(password, user), { message });
});
