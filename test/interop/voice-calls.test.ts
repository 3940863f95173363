// Telephone calls by SIP to SIPp, a program that others wrote: it rings, answers, presses keys and hangs up as people do.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  keepDialog,
  pause,
  receive,
  receiveResponse,
  request,
  respond,
  respondInDialog,
  sippMissing,
  startSipp,
} from '../../packages/sip/test/harness/sipp.ts';
import { startSite } from '../harness/site.ts';
import { voice } from '../harness/site-phones.ts';
import { until } from '../harness/until.ts';

const number = '+33100000001';
/** SIPp sends telephone events as payload type 96, whatever was agreed. */
const sdp = [
  'v=0',
  'o=sipp 1 1 IN IP4 [local_ip]',
  's=-',
  'c=IN IP4 [media_ip]',
  't=0 0',
  'm=audio [media_port] RTP/AVP 8 96',
  'a=rtpmap:8 PCMA/8000',
  'a=rtpmap:96 telephone-event/8000',
  'a=fmtp:96 0-15',
].join('\n');

const ringing = respond(180, 'Ringing');
const answered = respond(200, 'OK', { sdp });
const hungUpHere = [receive('BYE'), respondInDialog(200, 'OK')];
const keys = (text: string): string => `<nop><action><exec play_dtmf="${text}"/></action></nop>`;

/** Rings ana by a trunk to SIPp, which plays the steps to their end. */
async function callAna(t: TestContext, steps: readonly string[], pin?: string) {
  const sipp = await startSipp([receive('INVITE', keepDialog), ...steps]);
  t.after(() => sipp.stop());
  const site = await startSite(t, 'sqlite');
  const settings = { host: '127.0.0.1', port: sipp.port, user: 'tocsin' };
  await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  const numbers = [voice(number, { countTry: 1 })];
  const ana = await site.person('ana', { numbers, ...(pin === undefined ? {} : { pin }) });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group, { priority: 3 });
  const ended = until(
    async () => (await site.list(`/call/histories?limit=10&alarmId=${alarm}`)).items,
    ([row]) => row?.endTime !== undefined && row.endTime !== null,
  );
  const { code, log } = await sipp.ended;
  assert.equal(code, 0, log);
  const [row] = await ended;
  // Nobody took some of the alarms, so the administrator is called.
  await site.expectWhatRings();
  return { site, alarm, row };
}

type Scenario = {
  readonly name: string;
  /** The steps of SIPp after it has received the INVITE. */
  readonly steps: readonly string[];
  readonly pin?: string;
  /** The outcome of the attempt, then who has acknowledged the alarm. */
  readonly leadsTo: readonly [outcome: string, ackUser: string];
};

const takesTheCall = [ringing, answered, receive('ACK'), pause(200)];

const scenarios: readonly Scenario[] = [
  {
    name: 'who presses 1 and 1 has taken the alarm',
    steps: [...takesTheCall, keys('11'), ...hungUpHere],
    leadsTo: ['answered', 'ana'],
  },
  {
    name: 'digits while the text is spoken interrupt it and count',
    steps: [...takesTheCall, keys('14441'), ...hungUpHere],
    leadsTo: ['answered', 'ana'],
  },
  {
    name: 'who presses 2 has heard it, and the alarm stays open',
    steps: [...takesTheCall, keys('12'), ...hungUpHere],
    leadsTo: ['answered', ''],
  },
  {
    name: 'who presses 3 declines',
    steps: [...takesTheCall, keys('13'), ...hungUpHere],
    leadsTo: ['declined', ''],
  },
  {
    name: 'who presses 6 is called later',
    steps: [...takesTheCall, keys('16'), ...hungUpHere],
    leadsTo: ['answered', ''],
  },
  {
    name: 'the right PIN opens the menu',
    steps: [...takesTheCall, keys('14321#1'), ...hungUpHere],
    pin: '4321',
    leadsTo: ['answered', 'ana'],
  },
  {
    name: 'three wrong PINs lock the number',
    steps: [...takesTheCall, keys('11111#2222#3333#'), ...hungUpHere],
    pin: '4321',
    leadsTo: ['locked', ''],
  },
  { name: 'a busy telephone', steps: [respond(486, 'Busy Here'), receive('ACK')], leadsTo: ['busy', ''] },
  {
    name: 'a call that is rejected',
    steps: [ringing, respond(603, 'Decline'), receive('ACK')],
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
    steps: [ringing, respond(480, 'Temporarily Unavailable'), receive('ACK')],
    leadsTo: ['noAnswer', ''],
  },
  {
    name: 'hanging up without a key is no acknowledgement',
    steps: [...takesTheCall, pause(300), request('BYE', 1), receiveResponse(200)],
    leadsTo: ['answered', ''],
  },
];

// Calls take their time without using the processor, so several are made at once.
describe('a telephone call to SIPp', { skip: sippMissing, concurrency: 5 }, () => {
  for (const { name, steps, pin, leadsTo } of scenarios)
    it(name, async (t) => {
      const { site, alarm, row } = await callAna(t as TestContext, steps, pin);
      const { ackUser } = await site.ask<{ ackUser?: string }>('GET', `/alarms/${alarm}`);
      assert.deepEqual([row?.outcome, ackUser ?? ''], leadsTo);
    });

  it('has in its history the times when it rang and when it was answered', async (t) => {
    const { row } = await callAna(t as TestContext, [...takesTheCall, keys('11'), ...hungUpHere]);
    assert.ok(row?.ringTime && row.answerTime && row.ackTime && row.endTime, JSON.stringify(row));
  });
});
