// Keys of a telephone call, as telephones and networks deliver them: as tones, twice, or too soon. Each press counts once, and none takes
// an alarm that the person has not heard.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MediaSession } from '@tocsin/sip';
import { missing } from '../../../../packages/sip/test/harness/programs.ts';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { SipPeer } from '../../../harness/telephone/sip-peer.ts';
import { spokenLog } from '../../../harness/telephone/spoken-log.ts';
import { until } from '../../../harness/until.ts';

const skip = missing('espeak-ng', 'espeak-ng');

/** Ana is called for an alarm and has picked up; `phone` is the sound of her telephone. */
async function anaInCall(t: TestContext, person: object = {}) {
  const phone = await MediaSession.open({ address: '127.0.0.1' });
  t.after(() => t.after(() => phone.close()));
  const peer = await SipPeer.start(t, {
    kind: 'script',
    responses: (_, invite) => [{ status: '200 OK', body: phone.answer(invite.slice(invite.indexOf('\r\n\r\n') + 4)) }],
  });
  const { overrides, texts } = await spokenLog(t);
  const site = await startSite(t, 'sqlite', { overrides });
  const settings = { host: '127.0.0.1', port: peer.port, user: 'tocsin' };
  await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })], ...person });
  const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
  const untilSaid = (text: string) => until(texts, (said) => said.includes(text));
  await untilSaid('Press 1 to hear');
  const isTaken = async () => (await site.alarms.get(alarm)).ackUser === 'ana';
  const row = async () => (await site.list(`/call/histories?alarmId=${alarm}`)).items[0];
  return { peer, phone, site, alarm, untilSaid, isTaken, row };
}

/** A key as the two tones of a telephone. */
function toneOf(low: number, high: number): Int16Array {
  const wave = (hertz: number, at: number): number => 5_000 * Math.sin((2 * Math.PI * hertz * at) / 8_000);
  return Int16Array.from({ length: 1_600 }, (_, at) => wave(low, at) + wave(high, at));
}
const toneOf1 = toneOf(697, 1_209);

test('tones in the sound count although the telephone has promised events, until it sends one', { skip }, async (t) => {
  const { peer, phone, untilSaid, isTaken } = await anaInCall(t);
  await phone.play(toneOf1);
  await untilSaid('Press 1 to take it');
  const pressing = setInterval(() => void phone.play(toneOf1), 1_500);
  await until(isTaken, Boolean).finally(() => clearInterval(pressing));
  await until(
    () => peer.methodsOf('+33100000001'),
    (methods) => methods.includes('BYE'),
  );
});

test('a key that comes as an event and by INFO, again and again, takes no alarm before its text was heard', {
  skip,
}, async (t) => {
  const { peer, phone, untilSaid, isTaken, row } = await anaInCall(t);
  // Twenty presses in a row by both ways: the first is the proof, and the others came too soon.
  for (let press = 0; press < 20; press++) {
    peer.press('1');
    await phone.sendKeys('1', 40);
  }
  await untilSaid('Press 1 to take it');
  assert.equal(await isTaken(), false);
  peer.hangUp();
  await until(row, (one) => one?.endTime !== undefined);
  assert.equal(await isTaken(), false);
});

test('a PIN that is dialled three times opens the menu, and the rest of it answers nothing', { skip }, async (t) => {
  const { peer, phone, untilSaid, isTaken, row } = await anaInCall(t, { pin: '4321' });
  await phone.sendKeys('1');
  await untilSaid('Enter your PIN');
  await phone.sendKeys('4321#4321#4321#', 60);
  await untilSaid('Press 1 to take it');
  peer.hangUp();
  const ended = await until(row, (one) => one?.endTime !== undefined);
  // 3 would have declined, and 1 taken it.
  assert.deepEqual([ended?.outcome, ended?.detail, await isTaken()], ['answered', 'answered', false]);
});
