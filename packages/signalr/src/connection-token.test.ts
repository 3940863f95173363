// Tests that signed connection tokens can be read back, and altered ones cannot.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '../test/harness/fast-check.ts';
import { makeConnectionId, readToken, signToken } from './connection-token.ts';

const keys = { current: 'one', all: ['one'] };
const token = {
  ...{ connectionId: makeConnectionId(), nodeId: 'näh', principalId: 'user:"3"', issuedAt: 1_700_000_000_000 },
  ...{ isStateful: true, version: 1 },
};

it('a signed token can be read back, and needs no escaping', () => {
  const text = signToken(token, 'hub:a', keys);
  assert.match(text, /^[\w.-]+$/);
  assert.deepEqual(readToken(text, 'hub:a', keys), token);
});

it('a token is valid with any of the keys, and with no other', () => {
  const text = signToken(token, 'hub:a', keys);
  assert.deepEqual(readToken(text, 'hub:a', { current: 'two', all: ['two', 'one'] }), token);
  assert.equal(readToken(text, 'hub:a', { current: 'two', all: ['two'] }), undefined);
});

it('a token is valid in its scope only', () => {
  const text = signToken(token, 'hub:a', keys);
  for (const scope of ['hub:b', 'connections:a', 'hub:', '']) assert.equal(readToken(text, scope, keys), undefined);
});

it('an altered token, or any other text, is invalid', () => {
  const text = signToken(token, 'hub:a', keys);
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.constantFrom(...'Aaz09-_.%'), (at, character) => {
      const changed = text.slice(0, at) + character + text.slice(at + 1);
      // The last character of a base64 text has bits that mean nothing: changing them alone changes no byte.
      fc.pre(Buffer.compare(bytesOf(changed), bytesOf(text)) !== 0);
      assert.equal(readToken(changed, 'hub:a', keys), undefined);
    }),
  );
  fc.assert(fc.property(fc.string(), (anything) => assert.equal(readToken(anything, 'hub:a', keys), undefined)));
});

function bytesOf(text: string): Buffer {
  return Buffer.concat(text.split('.').flatMap((part) => [Buffer.from(part, 'base64url'), Buffer.of(0)]));
}

it('connection ids have 22 characters', () => {
  assert.match(makeConnectionId(), /^[\w-]{22}$/);
});
