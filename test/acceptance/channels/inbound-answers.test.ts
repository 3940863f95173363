// Answers that come in, whatever carries them: each message counts once, the sender must be the person, and codes cannot be
// guessed.

import assert from 'node:assert/strict';
import { noteBounce } from '../../../src/operations/calls/delivery/bounce.ts';
import { type InboundAnswer, takeAnswer } from '../../../src/operations/calls/inbound/take-answer.ts';
import { purgeExpired } from '../../../src/operations/system/purge.ts';
import { anaByMail, mailProvider, mailTo, startMailCatcher } from '../../harness/mail/mail-catcher.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import type { StoreName } from '../../harness/stores/stores.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const source = 'provider:9';
const address = 'ana@plant.example';

/** Raises an alarm that Ana has as a mail; returns its code and the id of the attempt. */
async function mailed(t: Parameters<typeof startMailCatcher>[0], kind: StoreName, person: object = {}) {
  const catcher = await startMailCatcher(t);
  const site = await startSite(t, kind);
  // The mailbox is on a port where nobody listens; the mail says how to reply all the same.
  await mailProvider(site, catcher, { settings: { imapHost: '127.0.0.1', imapPort: 1, imapSecurity: 'none' } });
  const { group } = await anaByMail(site, person);
  const alarmId = await site.alarms.raise(group);
  const { mail } = await mailTo(catcher);
  const code = /\(code (\d{4})\)/.exec(mail.text ?? '')?.[1] ?? '';
  const [attempt] = await site.callHistories();
  return { site, alarmId, code, attemptId: Number(attempt?.id) };
}

function send(site: Site, key: string, text: string, more: Partial<InboundAnswer> = {}) {
  const caller = { actor: source, stationIds: [], address };
  const input = { message: { source, key }, channel: 'email', who: { address }, what: { text }, caller, ...more };
  return site.app.store.write(takeAnswer, input);
}

testOnAnyStore('a message that comes twice counts once', async (t, kind) => {
  const { site, alarmId, attemptId } = await mailed(t, kind);
  assert.equal((await send(site, 'a', '2', { attemptId })).kind, 'answered');
  assert.equal((await send(site, 'a', '1', { attemptId })).kind, 'repeated');
  assert.equal((await site.alarms.get(alarmId)).state, 3, 'the second has taken nothing');
  const both = await Promise.all([send(site, 'b', '1', { attemptId }), send(site, 'b', '1', { attemptId })]);
  assert.deepEqual(both.map(({ kind: how }) => how).sort(), ['answered', 'repeated']);
  assert.equal((await site.alarms.get(alarmId)).ackUser, 'ana');
  assert.equal((await site.list('/journal?kind=call.answered')).items.length, 2);
  await site.expectWhatRings();
});

testOnAnyStore('a reply counts from an identity of the person, and from nobody else', async (t, kind) => {
  const identities = [{ kind: 'email', address: 'Ana.Private@home.example' }];
  const { site, alarmId, attemptId } = await mailed(t, kind, { identities });
  const stranger = await send(site, 'a', '1', { attemptId, who: { address: 'bo@plant.example' } });
  assert.deepEqual([stranger.kind, 'refusal' in stranger && stranger.refusal], ['refused', 'sender']);
  assert.equal((await site.alarms.get(alarmId)).state, 3);
  const known = await send(site, 'b', '1', { attemptId, who: { address: 'ana.private@HOME.example' } });
  assert.deepEqual([known.kind, 'said' in known && known.said], ['answered', 'You have taken it. Thank you.']);
  assert.equal((await site.alarms.get(alarmId)).ackUser, 'ana');
});

testOnAnyStore('a reply to an address that was removed, or of a person who was, takes nothing', async (t, kind) => {
  const { site, alarmId, code, attemptId } = await mailed(t, kind);
  const [ana] = (await site.list('/users?search=ana')).items;
  const numbers = [{ channel: 'email', address: 'other@plant.example' }];
  await site.ask('PUT', `/users/${ana?.id}`, { ...(await site.ask('GET', `/users/${ana?.id}`)), numbers });
  const refused = async (key: string, more: Partial<InboundAnswer> = {}) => {
    const outcome = await send(site, key, `1 ${code}`, { attemptId, ...more });
    assert.deepEqual(
      [outcome.kind, 'said' in outcome && outcome.said],
      ['refused', 'You are no longer called here. Nothing was changed.'],
    );
  };
  await refused('a');
  await refused('b', { attemptId: undefined, who: { address: 'other@plant.example' } });
  for (const team of (await site.list('/teams')).items)
    await site.ask('PUT', `/teams/${team.id}`, { ...team, members: [] });
  await site.ask('DELETE', `/users/${ana?.id}`);
  await refused('c');
  assert.deepEqual([(await site.alarms.get(alarmId)).state, (await site.alarms.get(alarmId)).ackUser], [3, '']);
  await site.expectWhatRings();
});

testOnStores('a sentence is no answer, and the person is told how to answer', async (t, kind) => {
  const { site, alarmId, attemptId } = await mailed(t, kind, { language: 'de' });
  for (const text of ['1 hour until I am there', 'ok', '', '7']) {
    const outcome = await send(site, `key ${text}`, text, { attemptId });
    assert.equal('refusal' in outcome && outcome.refusal, 'how', text);
    assert.match('said' in outcome ? outcome.said : '', /^Senden Sie 1 für übernehmen/);
  }
  assert.equal((await site.alarms.get(alarmId)).state, 3);
});

testOnAnyStore(
  'after ten wrong codes the right one is refused as well, but not a reply with a token',
  async (t, kind) => {
    const { site, alarmId, code, attemptId } = await mailed(t, kind);
    for (let n = 0; n < 10; n++) {
      const guess = String(1000 + n) === code ? '2000' : String(1000 + n);
      assert.equal((await send(site, `guess ${n}`, guess)).kind, 'refused');
    }
    const right = await send(site, 'right', code);
    assert.deepEqual('refusal' in right && right.refusal, 'too-many');
    assert.equal((await site.alarms.get(alarmId)).state, 3);
    assert.equal((await send(site, 'token', '2', { attemptId })).kind, 'answered');
    site.app.clock.advance(3_600_001);
    await site.settle();
    assert.equal((await send(site, 'later', code)).kind, 'answered');
    await site.expectWhatRings();
  },
);

testOnStores('a mail that comes back is a failed try, and the next number is called at once', async (t, kind) => {
  const catcher = await startMailCatcher(t);
  const site = await startSite(t, kind);
  await mailProvider(site, catcher);
  const numbers = [address, 'ana.home@plant.example'].map((one) => ({
    channel: 'email',
    address: one,
    timeToAck: 600,
  }));
  const { group } = await anaByMail(site, { numbers });
  const alarm = await site.alarms.raise(group, { priority: 3 });
  assert.deepEqual((await mailTo(catcher)).to, [address]);
  const rows = async () => (await site.list(`/call/histories?alarmId=${alarm}`)).items;
  const [first] = await until(rows, ([row]) => row?.endTime !== undefined);
  await site.app.store.write(noteBounce, { attemptId: Number(first?.id), status: '5.2.1' });
  void site.app.poll();
  assert.deepEqual((await mailTo(catcher, 1)).to, ['ana.home@plant.example']);
  const bounced = (await rows()).find(({ id }) => id === first?.id);
  assert.equal(bounced?.outcome, 'undeliverable');
  const late = { attemptId: Number(first?.id), status: '5.2.1' };
  await site.app.store.write(noteBounce, late);
  assert.equal(catcher.mails.length, 2, 'a second report changes nothing');
});

testOnAnyStore('old messages are forgotten', async (t, kind) => {
  const { site, attemptId } = await mailed(t, kind);
  await send(site, 'a', '2', { attemptId });
  site.app.clock.advance(31 * 86_400_000);
  await site.app.store.write(purgeExpired, { asOf: site.app.clock.now(), eventsBefore: 0 });
  assert.equal((await send(site, 'a', '2', { attemptId })).kind, 'answered');
  await site.expectWhatRings();
});

testOnStores('a mail without a code is told who has taken the alarm meanwhile, and takes nothing', async (t, kind) => {
  const { site, alarmId } = await mailed(t, kind);
  const said = async (key: string) => {
    const outcome = await send(site, key, '1');
    return 'said' in outcome && outcome.said;
  };
  assert.equal(await said('a'), 'Send the code of the message you answer as well.');
  assert.equal((await site.alarms.get(alarmId)).state, 3);
  const bo = await site.person('bo', { displayName: 'Bo Berg' });
  await site.ask('POST', `/alarms/${alarmId}/acknowledge`, { onBehalfOf: bo.id });
  assert.equal(await said('b'), 'Bo Berg has taken it.');
});
