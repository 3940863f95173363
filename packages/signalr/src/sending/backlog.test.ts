// Tests the memory of waiting messages: what is counted, and who is given up when there is too much.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Backlog, type BacklogShare } from './backlog.ts';
import { Payload } from './payload.ts';

const payload = (length: number) => new Payload(Buffer.alloc(length), false);

/** A client that holds messages until it is given up. */
function client(backlog: Backlog, givenUp: string[], name: string) {
  const held: Payload[] = [];
  const share: BacklogShare = backlog.share(() => {
    givenUp.push(name);
    for (const one of held.splice(0)) share.remove(one);
  });
  const hold = (one: Payload) => {
    held.push(one);
    share.add(one);
  };
  return { share, hold };
}

it('a message that waits for many clients counts once, and costs each a place', () => {
  const backlog = new Backlog(10_000, () => 0);
  const shares = Array.from({ length: 100 }, () => backlog.share(() => assert.fail()));
  const message = payload(1_000);
  shares[0]?.add(message);
  const alone = backlog.bytes;
  for (const share of shares.slice(1)) share.add(message);
  assert.ok(alone >= 1_000);
  assert.ok(backlog.bytes < alone + 100 * 50, `${backlog.bytes} bytes`);
  for (const share of shares) share.remove(message);
  assert.equal(backlog.bytes, 0);
});

it('those with the least progress are given up first, and no more than necessary', async () => {
  let now = 0;
  const backlog = new Backlog(10_000, () => now);
  const givenUp: string[] = [];
  const [early, late, busy] = ['early', 'late', 'busy'].map((name) => client(backlog, givenUp, name));
  early?.hold(payload(3_000));
  now = 1;
  late?.hold(payload(3_000));
  busy?.hold(payload(3_000));
  await new Promise(setImmediate);
  assert.deepEqual(givenUp, [], 'all of it fits');
  now = 2;
  if (busy !== undefined) busy.share.progressAt = now;
  busy?.hold(payload(3_000));
  await new Promise(setImmediate);
  assert.deepEqual(givenUp, ['early']);
  busy?.hold(payload(3_000));
  await new Promise(setImmediate);
  assert.deepEqual(givenUp, ['early', 'late'], 'the one that reads stays although most waits for it');
});

it('of equal progress the one with the most goes first', async () => {
  const backlog = new Backlog(10_000, () => 0);
  const givenUp: string[] = [];
  client(backlog, givenUp, 'small').hold(payload(4_000));
  client(backlog, givenUp, 'large').hold(payload(6_000));
  await new Promise(setImmediate);
  assert.deepEqual(givenUp, ['large']);
});
