// Tokens of attempts: only those that this key has signed are read, and links expire.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { AttemptTokens } from './attempt-tokens.ts';

const now = Date.UTC(2026, 10, 16);
const day = 86_400_000;
const tokens = new AttemptTokens(randomBytes(32));

test('a link names its attempt for seven days', () => {
  const token = tokens.linkToken(4711, now);
  assert.equal(tokens.readLinkToken(token, now + 7 * day - 1_000), 4711);
  assert.equal(tokens.readLinkToken(token, now + 7 * day + 1_000), undefined);
});

test('a link that was changed anywhere, or signed with another key, names nothing', () => {
  const token = tokens.linkToken(4711, now);
  for (let at = 0; at < token.length - 1; at++) {
    const changed = `${token.slice(0, at)}${token[at] === 'a' ? 'b' : 'a'}${token.slice(at + 1)}`;
    assert.equal(tokens.readLinkToken(changed, now), undefined, changed);
  }
  assert.equal(new AttemptTokens(randomBytes(32)).readLinkToken(token, now), undefined);
  for (const other of ['', '.', '..', 'a.b.c', `${token}x`, tokens.tag(4711)])
    assert.equal(tokens.readLinkToken(other, now), undefined);
});

test('a tag is read in capitals as well, and no tag is a link', () => {
  const tag = tokens.tag(4711);
  assert.match(tag, /^[0-9a-z-]{1,40}$/);
  assert.equal(tokens.readTag(tag.toUpperCase()), 4711);
  assert.equal(tokens.readTag(tokens.tag(4712).replace(/^[^-]+/, (4711).toString(36))), undefined);
  assert.equal(tokens.readTag(''), undefined);
  assert.throws(() => new AttemptTokens(Buffer.from('short')), RangeError);
});
