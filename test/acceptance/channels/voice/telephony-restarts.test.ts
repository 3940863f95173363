// The thread of telephone calls ends again and again, cannot be started, or is closed with calls under way: no telephone rings for
// nothing, nobody's try is used up by a trunk that is closed, and the server goes on.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { missing } from '../../../../packages/sip/test/harness/programs.ts';
import type { Conversations } from '../../../../src/channels/voice/conversations.ts';
import { type StartVoiceWorker, VoiceThread } from '../../../../src/channels/voice/thread/voice-thread.ts';
import type { CallMessage, Delivery } from '../../../../src/domain/calls/delivery.ts';
import type { Provider } from '../../../../src/domain/channels/provider.ts';
import { faultyVoiceThread, ownVoiceThread } from '../../../harness/server/built-server.ts';
import { SipPeer } from '../../../harness/telephone/sip-peer.ts';
import { endingNumber } from '../../../harness/telephone/telephone-faults.ts';
import { until } from '../../../harness/until.ts';

const skip = missing('espeak-ng', 'espeak-ng');
const number = '+33100000001';

const said = { parts: [], language: 'en', isOver: false, isLockedOut: false, ignoresKeys: false, followsProof: false };
const conversations = {
  begin: async () => undefined,
  answered: async () => said,
  ended: async () => ({ isHuman: true, hasHeard: true, isLockedOut: false }),
  onNews: () => () => {},
} as Partial<Conversations> as Conversations;

async function threadWith(t: TestContext, startWorker: StartVoiceWorker) {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const faults: unknown[] = [];
  const thread = new VoiceThread({
    startWorker,
    data: {
      speech: { command: ['espeak-ng', '--stdout'], voices: new Map([['en', 'en']]), cacheDir: '' },
      decoder: [],
    },
    conversations,
    recordings: { find: async () => undefined },
    onEnded: (error) => faults.push(error),
    onTrouble: (error) => assert.fail(String(error)),
  });
  const settings = { host: '127.0.0.1', port: peer.port, user: 'tocsin' };
  const provider = thread.open({ id: 1, settings } as Partial<Provider> as Provider, {});
  t.after(() => provider.close());
  const call = (attemptId: number, address: string): Promise<Delivery> =>
    provider.deliver({ attemptId, address } as CallMessage, () => {}, new AbortController().signal);
  const ringing = async (attemptId: number) => {
    const rings = Promise.withResolvers<void>();
    const outcome = provider.deliver(
      { attemptId, address: number } as CallMessage,
      ({ kind }) => kind === 'ringing' && rings.resolve(),
      new AbortController().signal,
    );
    await Promise.race([rings.promise, outcome]);
    return { outcome };
  };
  return { peer, provider, faults, call, ringing };
}

test('a telephone is released before its call counts as failed, also when the thread is started again after a pause', {
  skip,
}, async (t) => {
  const { peer, faults, call, ringing } = await threadWith(t, faultyVoiceThread);
  await call(1, endingNumber);
  const { outcome } = await ringing(2);
  await call(3, endingNumber);
  assert.equal(((await outcome) as { outcome?: string }).outcome, 'failed');
  assert.equal(faults.length, 2);
  assert.deepEqual(peer.methodsOf(number).slice(0, 2), ['INVITE', 'CANCEL']);
});

test('a call of a trunk that is closed is cancelled, and uses up no try of the person', { skip }, async (t) => {
  const { peer, provider, ringing } = await threadWith(t, ownVoiceThread);
  const { outcome } = await ringing(1);
  await provider.close();
  assert.equal(((await outcome) as { outcome?: string }).outcome, 'cancelled');
  assert.deepEqual(peer.methodsOf(number), ['INVITE', 'CANCEL', 'ACK']);
});

test('a person who was spoken to counts as reached, also when the last trunk is closed in the conversation', {
  skip,
}, async (t) => {
  const { peer, provider, ringing } = await threadWith(t, ownVoiceThread);
  const { outcome } = await ringing(1);
  peer.pickUp();
  await until(
    () => peer.methodsOf(number),
    (methods) => methods.includes('ACK'),
  );
  await provider.close();
  assert.equal((await outcome).kind, 'delivered');
});

test('a thread that cannot be started again is started later, and the server goes on', { skip }, async (t) => {
  let starts = 0;
  const { peer, faults, call, ringing } = await threadWith(t, (data) => {
    starts += 1;
    if (starts === 2) throw new Error('no thread could be created');
    return (starts === 1 ? faultyVoiceThread : ownVoiceThread)(data);
  });
  await call(1, endingNumber);
  await until(
    () => starts,
    (count) => count === 3,
  );
  const { outcome } = await ringing(2);
  peer.rejectAll();
  assert.equal(((await outcome) as { outcome?: string }).outcome, 'busy');
  assert.ok(faults.some((fault) => String(fault).includes('no thread could be created')));
});
