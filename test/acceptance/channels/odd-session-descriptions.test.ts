// Telephones that answer with session descriptions of any kind: each is spoken to, or the next person is called; the server goes on.

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { missing } from '../../../packages/sip/test/harness/programs.ts';
import { signInAsAdmin } from '../../harness/kills/admin.ts';
import { startServer } from '../../harness/server/server-process.ts';
import { migratedStore } from '../../harness/site/app.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { peerSdp, type SipAnswer, SipPeer, type SipResponse } from '../../harness/telephone/sip-peer.ts';
import { until } from '../../harness/until.ts';

const skip = missing('espeak-ng', 'espeak-ng');
const withinMs = 20_000;

type Phone = {
  readonly name: string;
  /** Whether its description is good enough for a conversation. */
  readonly isSpokenTo: boolean;
  responses(good: string): readonly SipResponse[];
};

/** Answers with the good description after one change. */
function changed(name: string, isSpokenTo: boolean, change: (good: string) => string): Phone {
  return { name, isSpokenTo, responses: (good) => [{ status: '200 OK', body: change(good) }] };
}

const codec = (good: string, type: number, format: string) =>
  `${good.replace(/ 8\r\n$/, ` ${type}\r\n`)}a=rtpmap:${type} ${format}\r\n`;

const phones: readonly Phone[] = [
  changed('G.722 only', false, (good) => codec(good, 9, 'G722/8000')),
  changed('Opus only', false, (good) => codec(good, 111, 'opus/48000/2')),
  changed('port 0', false, (good) => good.replace(/audio \d+/, 'audio 0')),
  changed('RTP/SAVP', false, (good) => good.replace('RTP/AVP', 'RTP/SAVP')),
  changed('RTP/AVPF', true, (good) => good.replace('RTP/AVP', 'RTP/AVPF')),
  changed('RTP/SAVPF', false, (good) => good.replace('RTP/AVP', 'RTP/SAVPF')),
  changed('a host name in c=', false, (good) => good.replace(/^c=.*$/m, 'c=IN IP4 phone.example\r')),
  changed('IPv6 in c=', false, (good) => good.replace(/^c=.*$/m, 'c=IN IP6 ::1\r')),
  changed('multicast in c=', false, (good) => good.replace(/^c=.*$/m, 'c=IN IP4 224.2.1.1/127\r')),
  changed('no c=', false, (good) => good.replace(/^c=.*\r\n/m, '')),
  changed('no o=', true, (good) => good.replace(/^o=.*\r\n/m, '')),
  changed('a version of 21 digits in o=', true, (good) => good.replace('peer 1 1', `peer 1 ${'9'.repeat(21)}`)),
  changed('no version in o=', true, (good) => good.replace('peer 1 1', 'peer 1')),
  changed('video only', false, (good) => good.replace('m=audio', 'm=video')),
  changed('events only', false, (good) => codec(good, 101, 'telephone-event/8000')),
  changed('port 70000', false, (good) => good.replace(/audio \d+/, 'audio 70000')),
  changed('the first stream refused', true, (good) => good.replace('m=', 'm=audio 0 RTP/AVP 8\r\nm=')),
  changed('rubbish', false, () => 'rubbish \u0000\u00ff'),
  changed('a line without =', true, (good) => good.replace('t=0 0', 'hello\r\nt=0 0')),
  {
    name: 'an unusable 183, then an empty 200',
    isSpokenTo: false,
    responses: () => [{ status: '183 Session Progress', body: 'rubbish' }, { status: '200 OK' }],
  },
  { name: 'an empty 200', isSpokenTo: false, responses: () => [{ status: '200 OK' }] },
  {
    name: 'a text',
    isSpokenTo: false,
    responses: () => [{ status: '200 OK', type: 'text/plain', body: 'hello' }],
  },
];

const numberOf = (index: number, isRelief = false) => `+3310000${isRelief ? 1 : 0}0${String(index).padStart(2, '0')}`;

type Row = { readonly user: string; readonly outcome?: string; readonly answerTime?: string };

/** A server process with an exchange whose telephones are those above, each person with somebody who is called next. */
async function startWithPhones(t: TestContext) {
  const peer: SipPeer = await SipPeer.start(t, {
    kind: 'script',
    responses(number) {
      const index = phones.findIndex((_, at) => numberOf(at) === number);
      return phones[index]?.responses(peerSdp(peer.audioPort)) ?? [{ status: '180 Ringing' }];
    },
  });
  const server = await startServer(await migratedStore(t, 'sqlite'));
  t.after(() => server.end('SIGTERM'));
  const admin = await signInAsAdmin(() => [server.url]);
  const settings = { host: '127.0.0.1', port: peer.port, user: 'tocsin' };
  await admin.ask('POST', '/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  const person = (name: string, number: string) =>
    admin.ask<number>('POST', '/users', { name, role: 'operator', numbers: [voice(number, { countTry: 1 })] });
  /** Raises an alarm for the person with that telephone and the one who follows. */
  const raise = async (index: number): Promise<number> => {
    const userIds = [await person(`odd${index}`, numberOf(index)), await person(`next${index}`, numberOf(index, true))];
    const members = userIds.map((userId) => ({ userId, relief: false }));
    const team = await admin.ask<number>('POST', '/teams', { name: `Team ${index}`, members });
    const group = { name: `Group ${index}`, stationId: 1, teamIds: [team], callMode: 'turn' };
    const id = await admin.ask<number>('POST', '/callgroups', group);
    const alarm = { path: `Pump${index}`, alarmMessage: 'hot', priority: 1, alarmActions: [{ type: 'CallGroup', id }] };
    return admin.ask<number>('POST', '/alarms', alarm);
  };
  return { server, admin, peer, raise };
}

test('every description that a telephone answers with ends in a conversation, or the next person is rung', {
  skip,
}, async (t) => {
  const { server, admin, peer, raise } = await startWithPhones(t);
  assert.equal(phones.length, 22);
  for (const [index, { name, isSpokenTo }] of phones.entries()) {
    const alarm = await raise(index);
    const row = async () => {
      const { items } = await admin.ask<{ items: readonly Row[] }>('GET', `/call/histories?alarmId=${alarm}`);
      return items.find(({ user }) => user === `odd${index}`);
    };
    if (isSpokenTo) {
      const heard = await peer.nextSound();
      assert.ok(heard > 0, name);
      await until(row, (one) => one?.answerTime !== undefined, withinMs);
    } else {
      await until(
        () => peer.dialled,
        (dialled) => dialled.includes(numberOf(index, true)),
        withinMs,
      );
      assert.deepEqual([name, (await row())?.outcome], [name, 'undeliverable']);
      assert.deepEqual([name, ...peer.methodsOf(numberOf(index))], [name, 'INVITE', 'ACK', 'BYE']);
    }
    await admin.ask('POST', `/alarms/${alarm}/acknowledge`, {});
  }
  const { code, output } = await server.end('SIGTERM');
  assert.equal(code, 0, output);
  assert.doesNotMatch(output, /fault/, 'none of it is an error of this server');
});

const password = 'pass-word-4711';

async function makeTrunks(site: Site, peers: readonly SipPeer[]): Promise<void> {
  for (const [order, { port }] of peers.entries()) {
    const settings = { host: '127.0.0.1', port, user: 'tocsin' };
    await site.create('/providers', { name: `PBX ${order}`, order, channel: 'voice', kind: 'sip', settings });
  }
}

test('a telephone that answers without a description is tried by the next trunk at once', async (t) => {
  const first = await SipPeer.start(t, { kind: 'script', responses: () => [{ status: '200 OK' }] });
  const second = await SipPeer.start(t, { kind: 'ring' });
  const site = await startSite(t, 'sqlite');
  await makeTrunks(site, [first, second]);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
  await until(
    () => second.calls,
    (calls) => calls === 1,
  );
  assert.deepEqual(first.methodsOf('+33100000001'), ['INVITE', 'ACK', 'BYE']);
  second.rejectAll();
  await site.expectWhatRings();
});

test('a number that is verified and answers with rubbish is told no code, and tried by the next trunk', {
  skip,
}, async (t) => {
  const rubbish: SipAnswer = { kind: 'script', responses: () => [{ status: '200 OK', body: 'rubbish' }] };
  const peers = [await SipPeer.start(t, rubbish), await SipPeer.start(t, rubbish)];
  const site = await startSite(t, 'sqlite');
  await makeTrunks(site, peers);
  const ana = await site.person('ana', { password });
  const as = site.as(await site.app.signIn('ana', password));
  const numbers = [{ channel: 'voice', address: '+33100000001' }];
  const [number] = (await as.ask<{ numbers: readonly { id: number }[] }>('PUT', '/me', { numbers })).numbers;
  const { status, body } = await as.request('POST', `/users/${ana.id}/numbers/${number?.id}/verify`, {});
  assert.equal(status, 503);
  assert.match(JSON.stringify(body), /The code could not be sent: the telephone answered, but .* begin with v=0/);
  for (const peer of peers)
    await until(
      () => peer.methodsOf('+33100000001'),
      (methods) => methods.join(' ') === 'INVITE ACK BYE',
    );
});

/** Rings in without an offer and confirms the call with a description; returns the requests that the server then sends. */
async function ringInAnd(t: TestContext, contact: string, description: string): Promise<readonly string[]> {
  const socket = createSocket('udp4');
  t.after(() => t.after(() => void socket.close()));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  const [, target = '', serverPort] = /<(sip:[^>]*:(\d+))/.exec(contact) ?? [];
  const requests: string[] = [];
  let hasConfirmed = false;
  const send = (method: string, to: string, body = '') => {
    const lines = [
      `${method} ${target} SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK-${method}-${port}`,
      `From: <sip:stranger@127.0.0.1:${port}>;tag=stranger`,
      `To: ${to}`,
      `Call-ID: stranger-${port}`,
      `CSeq: 1 ${method}`,
      `Contact: <sip:stranger@127.0.0.1:${port}>`,
      ...(body === '' ? [] : ['Content-Type: application/sdp']),
      `Content-Length: ${body.length}`,
    ];
    socket.send([...lines, '', body].join('\r\n'), Number(serverPort), '127.0.0.1');
  };
  socket.on('message', (bytes) => {
    const text = bytes.toString('latin1');
    const isAnswer = text.startsWith('SIP/2.0 200');
    if (!text.startsWith('SIP/')) requests.push(text.split(' ', 1)[0] ?? '');
    if (!isAnswer || hasConfirmed) return;
    hasConfirmed = true;
    send('ACK', /^To: *(.*?)\r$/im.exec(text)?.[1] ?? '', description);
  });
  send('INVITE', `<${target}>`);
  return until(
    () => requests,
    ({ length }) => length > 0,
  );
}

test('who rings in and confirms the call with rubbish, or with nothing, is hung up on', { skip }, async (t) => {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const site = await startSite(t, 'sqlite');
  const settings = { host: '127.0.0.1', port: peer.port, user: 'tocsin', register: true, ringIn: true };
  const trunk = { name: 'PBX', order: 1, channel: 'voice', kind: 'sip', settings, secrets: { password } };
  await site.create('/providers', trunk);
  const [contact = ''] = await until(
    () => peer.registrations,
    ({ length }) => length > 0,
  );
  for (const description of ['rubbish', '']) assert.deepEqual(await ringInAnd(t, contact, description), ['BYE']);
});
