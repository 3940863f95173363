// The other side of a call vanishes, as a telephone whose battery is empty does: nobody speaks to it any longer, and others are called.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { MediaSession, UserAgent } from '@tocsin/sip';
import { missing } from '../../../../packages/sip/test/harness/programs.ts';
import { endWhenVanished } from '../../../../src/channels/voice/vanished.ts';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { peerSdp, SipPeer } from '../../../harness/telephone/sip-peer.ts';
import { until } from '../../../harness/until.ts';

test('a telephone that vanishes in a call is hung up on, and the next number is rung', {
  skip: missing('espeak-ng', 'espeak-ng'),
}, async (t) => {
  const [first, second] = [await SipPeer.start(t, { kind: 'ring' }), await SipPeer.start(t, { kind: 'ring' })];
  const site = await startSite(t, 'sqlite');
  for (const [country, { port }] of [['+33', first] as const, ['+49', second] as const]) {
    const settings = { host: '127.0.0.1', port, user: 'tocsin' };
    await site.create('/providers', { name: country, channel: 'voice', kind: 'sip', countries: [country], settings });
  }
  const numbers = [voice('+33100000001', { countTry: 1 }), voice('+49100000001', { countTry: 1 })];
  const ana = await site.person('ana', { numbers });
  const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
  await until(
    () => first.calls,
    (calls) => calls === 1,
  );
  first.pickUp();
  await first.nextSound();
  first.sendSound();
  first.isDead = true;
  await until(
    () => second.calls,
    (calls) => calls === 1,
  );
  assert.deepEqual(first.methodsOf('+33100000001'), ['INVITE', 'ACK', 'OPTIONS', 'BYE']);
  const [row] = (await site.list(`/call/histories?alarmId=${alarm}`)).items;
  assert.equal(row?.outcome, 'failed');
  assert.equal(row?.detail, 'the other side vanished in the call: no sound came any more');
  second.rejectAll();
  await site.expectWhatRings();
});

/** A call that was answered and in which sound has come, watched with short times. */
async function watchedCall(t: TestContext, times: { readonly answerWithinMs: number; readonly endAfterMs: number }) {
  const responses = () => [{ status: '200 OK', body: peerSdp(peer.audioPort) }];
  const peer: SipPeer = await SipPeer.start(t, { kind: 'script', responses });
  const agent = await UserAgent.start();
  t.after(() => agent.close());
  const media = await MediaSession.open({ address: '127.0.0.1', rtpLostAfterMs: 100 });
  t.after(() => media.close());
  const trunk = { host: '127.0.0.1', port: peer.port };
  const call = agent.invite({ to: '+33100000001', from: 'tocsin', trunk, offer: media.offer() });
  const hasVanished = endWhenVanished({ call, media }, assert.ifError, times);
  const [{ description }] = await once(call, 'answered');
  media.accept(description);
  const heard = once(media, 'audio');
  peer.sendSound();
  await heard;
  return { peer, call, media, hasVanished };
}

test('a telephone behind an exchange that still knows the call is waited for, and then hung up on', async (t) => {
  const { peer, call, hasVanished } = await watchedCall(t, { answerWithinMs: 300, endAfterMs: 300 });
  await once(call, 'ended');
  assert.ok(hasVanished());
  assert.deepEqual(peer.methodsOf('+33100000001').slice(0, 3), ['INVITE', 'ACK', 'OPTIONS']);
});

test('a telephone that is silent for a while and then heard again is spoken to', async (t) => {
  const { peer, call, media, hasVanished } = await watchedCall(t, { answerWithinMs: 5_000, endAfterMs: 5_000 });
  await once(media, 'rtpLost');
  peer.sendSound();
  await once(media, 'rtpLost');
  await until(
    () => peer.received.filter((text) => text.startsWith('OPTIONS ')).length,
    (asked) => asked === 2,
  );
  assert.ok(!hasVanished());
  const ended = once(call, 'ended');
  await call.hangUp();
  await ended;
  assert.ok(!hasVanished(), 'it was hung up on here');
});
