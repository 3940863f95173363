// Tests broadcasts: calls that wait together are written together, in order, and only to their recipients.

import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { jsonProtocol } from '../core/protocol/json-protocol.ts';
import { CoreEncoding } from '../core/protocol/protocol.ts';
import type { HubConnection } from '../hub.ts';
import { SendScheduler } from '../sending/send-scheduler.ts';
import type { Member } from './broadcast-batch.ts';
import { LiveHub } from './live-hub.ts';
import type { CallBundle, SharedCall } from './shared-call.ts';

const sliceMs = 6;
const encoding = new CoreEncoding(jsonProtocol);
let now: number;
let scheduler: SendScheduler;
let hub: LiveHub;

beforeEach(() => {
  now = 0;
  scheduler = new SendScheduler(sliceMs, assert.ifError, () => now);
  hub = new LiveHub({ name: 'hub' }, scheduler, assert.ifError);
});

/** Uses up the time slice, so that later calls wait for the next turn. */
function holdUp(): void {
  scheduler.post(() => {
    now += sliceMs;
    return true;
  });
}

/** Adds a member that records its messages, one entry per write. */
function join(canTakeMany = true) {
  const written: string[] = [];
  const note = (sent: SharedCall | CallBundle) => {
    const records = sent.payloadFor(encoding).bytes.toString().split('\x1e').slice(0, -1);
    written.push(records.map((record) => JSON.parse(record).arguments[0]).join());
  };
  const member = { deliver: note, ...(canTakeMany && { deliverTogether: note }) } as unknown as Member;
  hub.add(member);
  return { member, written };
}

it('broadcasts are written at once while the time slice lasts', () => {
  const { written } = join();
  void hub.broadcast('news', [1]);
  void hub.broadcast('news', [2]);
  assert.deepEqual(written, ['1', '2']);
});

it('waiting broadcasts are written in one write, or one by one to members that cannot batch', async () => {
  const [many, single] = [join(), join(false)];
  holdUp();
  await Promise.all([1, 2, 3].map((number) => hub.broadcast('news', [number])));
  assert.deepEqual(many.written, ['1,2,3']);
  assert.deepEqual(single.written, ['1', '2', '3']);
});

it('no send overtakes another', async () => {
  const { member, written } = join();
  holdUp();
  const told = [1, 2].map((number) => hub.broadcast('news', [number]));
  scheduler.post(() => {
    written.push('a word in between');
    return true;
  });
  hub.join(member, 'group');
  await Promise.all([...told, hub.broadcast('news', [3]), hub.sendTo({ groups: ['group'] }, 'news', [4])]);
  assert.deepEqual(written, ['1,2', 'a word in between', '3', '4']);
});

it('each member gets only the calls whose filter it passes', async () => {
  const [all, some] = [join(), join()];
  const notSome = (connection: HubConnection) => connection !== (some.member as HubConnection);
  holdUp();
  const told = [hub.broadcast('news', [1]), hub.broadcast('news', [2], notSome), hub.broadcast('news', [3])];
  const late = join();
  told.push(hub.broadcast('news', [4]));
  await Promise.all(told);
  assert.deepEqual([all.written, some.written, late.written], [['1,2,3,4'], ['1,3,4'], ['4']]);
});

it('a call that cannot be serialized fails without affecting others', async () => {
  const { written } = join();
  holdUp();
  const told = [1, 2n, 3].map((number) => hub.broadcast('news', [number]));
  const outcomes = await Promise.allSettled(told);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(written, ['1', '3']);
});
