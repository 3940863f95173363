// An error of this server in the middle of a telephone call: the call is ended and is an outcome, and the next call is made.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VoicePorts } from '../../../src/channels/voice/connect-talk.ts';
import { SipProvider } from '../../../src/channels/voice/sip-provider.ts';
import type { CallMessage, Progress } from '../../../src/domain/calls/delivery.ts';
import { sipProviders } from '../../../src/domain/channels/kinds/sip.ts';
import { readSettings } from '../../../src/domain/channels/settings.ts';
import { SipPeer } from '../../harness/telephone/sip-peer.ts';
import { until } from '../../harness/until.ts';

test('an error while a telephone rings cancels that call as an internal fault, and another one rings on', async (t) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const { values } = readSettings(sipProviders.fields, { host: '127.0.0.1', port: peer.port, user: 'tocsin' });
  const troubles: string[] = [];
  const ports = {
    conversations: { begin: async () => undefined },
    speech: { check: async () => undefined },
    onTrouble: (error: Error) => troubles.push(error.message),
  } as unknown as VoicePorts;
  const provider = new SipProvider(1, values, undefined, ports);
  t.after(() => provider.close());
  const call = (attemptId: number, report: (progress: Progress) => void, signal: AbortSignal) =>
    provider.deliver({ attemptId, address: `+3310000000${attemptId}` } as CallMessage, report, signal);
  const giveUp = new AbortController();
  const other = call(2, () => {}, giveUp.signal);
  await until(
    () => peer.calls,
    (calls) => calls === 1,
  );
  const onRinging = ({ kind }: Progress): void => {
    if (kind === 'ringing') throw new Error('broken');
  };
  const reason = '{"code":"internal-fault"}';
  const failed = { kind: 'failed', retry: 'later', outcome: 'failed', failure: 'own-fault', reason };
  assert.deepEqual(await call(1, onRinging, new AbortController().signal), failed);
  await until(
    () => peer.cancelReasons,
    ({ length }) => length === 1,
  );
  assert.match(troubles.join(), /^internal fault in call \S+$/, 'it is reported once');
  assert.deepEqual(peer.methodsOf('+33100000002'), ['INVITE'], 'the other telephone rings on');
  giveUp.abort();
  assert.equal((await other).kind, 'failed');
});
