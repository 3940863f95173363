// Telephone calls by SIP to SIPp, a program that others wrote: it rings, answers, presses keys and hangs up as people do.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  pause,
  receive,
  respond,
  respondInDialog,
  sippMissing,
  startSipp,
} from '../../packages/sip/test/harness/sipp.ts';
import { type Site, startSite } from '../harness/site.ts';
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
async function callAna(t: TestContext, steps: readonly string[], act: (site: Site) => Promise<void>, pin?: string) {
  const sipp = await startSipp([receive('INVITE'), ...steps]);
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
  await act(site);
  const { code, log } = await sipp.ended;
  assert.equal(code, 0, log);
  const [row] = await ended;
  return { site, alarm, row };
}

test('SIPp: a person answers, presses 1 and 1, and has taken the alarm', { skip: sippMissing }, async (t) => {
  const steps = [ringing, answered, receive('ACK'), pause(300), keys('11'), ...hungUpHere];
  const { site, row } = await callAna(t, steps, async () => {});
  assert.equal(row?.outcome, 'answered');
  const [alarm] = (await site.ask<{ items: { ackUser: string }[] }>('GET', '/alarms')).items;
  assert.equal(alarm?.ackUser, 'ana');
});
