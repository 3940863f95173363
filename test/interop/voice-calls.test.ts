// Telephone calls by SIP to SIPp, a program that others wrote: it rings, answers, presses keys and hangs up as people do.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { pause, receive, respond, sippMissing, startSipp, waitsForSign } from '../../packages/sip/test/harness/sipp.ts';
import { withoutProgram } from '../harness/server/tools.ts';
import { startSite } from '../harness/site/site.ts';
import { voice } from '../harness/site/site-phones.ts';
import {
  called,
  hangsUp,
  hearsSome,
  hungUpThere,
  keyByInfo,
  keys,
  plainSdp,
  pressesUntilHungUp,
  rings,
  takesTheCall,
} from '../harness/telephone/sipp-phone.ts';
import { spokenLog } from '../harness/telephone/spoken-log.ts';
import { untilSaid } from '../harness/telephone/until-said.ts';
import { until } from '../harness/until.ts';

const number = '+33100000001';

type Person = {
  readonly pin?: string;
  /** What she hears before each step that waits for a sign, because nobody presses a key sooner. */
  readonly hears?: readonly string[];
};

/** Rings ana by a trunk to SIPp, which plays the steps to their end. */
async function callAna(t: TestContext, steps: readonly string[], { pin, hears = [] }: Person = {}) {
  const sipp = await startSipp([called, ...steps]);
  t.after(() => sipp.stop());
  const { overrides, texts } = await spokenLog(t);
  const site = await startSite(t, 'sqlite', { overrides });
  const settings = { host: '127.0.0.1', port: sipp.port, user: 'tocsin' };
  await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  const numbers = [voice(number, { countTry: 1 })];
  const ana = await site.person('ana', { numbers, ...(pin === undefined ? {} : { pin }) });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  for (const phrase of hears) {
    await untilSaid({ site, sipp, texts }, phrase);
    await sipp.sign();
  }
  const { code, log } = await sipp.ended;
  assert.equal(code, 0, log);
  const [row] = await until(
    async () => (await site.list(`/call/histories?limit=10&alarmId=${alarm}`)).items,
    ([row]) => row?.endTime !== undefined && row.endTime !== null,
  );
  // Nobody took some of the alarms, so the administrator is called.
  await site.expectWhatRings();
  return { site, alarm, row };
}

type Scenario = {
  readonly name: string;
  /** The steps of SIPp after it has received the INVITE. */
  readonly steps: readonly string[];
  readonly ana?: Person;
  /** The outcome of the attempt, then who has acknowledged the alarm. */
  readonly leadsTo: readonly [outcome: string, ackUser: string];
};

const toMenu: Person = { hears: ['Press 1 to take it'] };
const toPin = 'Enter your PIN';
/** She presses 1 to hear the alarm, and the keys when she has heard it. */
const pressesInMenu = (text: string) => [
  ...[...takesTheCall, keys('1'), waitsForSign, hearsSome],
  ...[keys(text), ...hungUpThere],
];

const scenarios: readonly Scenario[] = [
  {
    name: 'who presses 1 and 1 has taken the alarm',
    steps: pressesInMenu('1'),
    ana: toMenu,
    leadsTo: ['answered', 'ana'],
  },
  {
    name: 'digits while the text is spoken interrupt it and count',
    steps: pressesInMenu('4441'),
    ana: toMenu,
    leadsTo: ['answered', 'ana'],
  },
  {
    name: 'who presses 2 has heard it, and the alarm stays open',
    steps: pressesInMenu('2'),
    ana: toMenu,
    leadsTo: ['answered', ''],
  },
  {
    name: 'who presses 3 declines',
    steps: pressesInMenu('3'),
    ana: toMenu,
    leadsTo: ['declined', ''],
  },
  {
    name: 'who presses 6 is called later',
    steps: pressesInMenu('6'),
    ana: toMenu,
    leadsTo: ['answered', ''],
  },
  {
    name: 'the right PIN opens the menu',
    steps: [
      ...[...takesTheCall, keys('1'), waitsForSign, keys('4321#')],
      ...[waitsForSign, ...pressesUntilHungUp('1')],
    ],
    ana: { pin: '4321', hears: [toPin, 'Press 1 to take it'] },
    leadsTo: ['answered', 'ana'],
  },
  {
    name: 'three wrong PINs lock the number',
    steps: [...takesTheCall, keys('1'), waitsForSign, keys('1111#2222#3333#'), ...hungUpThere],
    ana: { pin: '4321', hears: [toPin] },
    leadsTo: ['locked', ''],
  },
  {
    name: 'keys by SIP INFO, of a telephone without telephone events',
    steps: [
      ...[rings, respond(200, 'OK', { sdp: plainSdp }), receive('ACK'), pause(200)],
      ...[...keyByInfo('1', 2), waitsForSign, hearsSome, ...keyByInfo('1', 3)],
      ...hungUpThere,
    ],
    ana: toMenu,
    leadsTo: ['answered', 'ana'],
  },
  { name: 'a busy telephone', steps: [respond(486, 'Busy Here'), receive('ACK')], leadsTo: ['busy', ''] },
  {
    name: 'a call that is rejected',
    steps: [rings, respond(603, 'Decline'), receive('ACK')],
    leadsTo: ['declined', ''],
  },
  {
    name: 'a number that does not exist',
    steps: [respond(404, 'Not Found'), receive('ACK')],
    leadsTo: ['badNumber', ''],
  },
  {
    name: 'a trunk that refuses the account',
    steps: [respond(403, 'Forbidden'), receive('ACK')],
    leadsTo: ['undeliverable', ''],
  },
  {
    name: 'a telephone that nobody answers',
    steps: [rings, respond(480, 'Temporarily Unavailable'), receive('ACK')],
    leadsTo: ['noAnswer', ''],
  },
  {
    name: 'hanging up without a key is no acknowledgement',
    steps: [...takesTheCall, pause(300), ...hangsUp],
    leadsTo: ['answered', ''],
  },
];

// Calls take their time without using the processor, so several are made at once.
describe('a telephone call to SIPp', { skip: sippMissing || withoutProgram('espeak-ng'), concurrency: 5 }, () => {
  for (const { name, steps, ana, leadsTo } of scenarios)
    it(name, async (t) => {
      const { site, alarm, row } = await callAna(t as TestContext, steps, ana);
      const { ackUser } = await site.ask<{ ackUser?: string }>('GET', `/alarms/${alarm}`);
      assert.deepEqual([row?.outcome, ackUser ?? ''], leadsTo);
    });

  it('has in its history the times when it rang and when it was answered', async (t) => {
    const { row } = await callAna(t as TestContext, pressesInMenu('1'), toMenu);
    assert.ok(row?.ringTime && row.answerTime && row.ackTime && row.endTime, JSON.stringify(row));
  });
});
