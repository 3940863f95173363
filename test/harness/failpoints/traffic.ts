// What peers and users do to a server in a test of failpoints: telephones, mail, webhooks, hub clients, requests, cut connections.

import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { HttpTransportType } from '@microsoft/signalr';
import { WebhookReceiver } from '../channels/webhook-receiver.ts';
import { classicClient } from '../hub/classic-page.ts';
import { hubClient } from '../hub/hub-client.ts';
import { type MailServer, mailDomain, mailPassword, startMailServer } from '../mail/mail-server.ts';
import type { Caller } from '../site/site-caller.ts';
import { voice } from '../site/site-phones.ts';
import { SipPeer } from '../telephone/sip-peer.ts';

const answeringNumber = '+33100000002';

/** The peers of a server, and the people who are called through them. */
export type Plant = {
  readonly peer: SipPeer;
  readonly hooks: WebhookReceiver;
  readonly mail: MailServer;
  /** Calls a telephone that is busy, then a program. */
  readonly inTurn: number;
  /** Calls a telephone that is picked up, a program, a mailbox and a simulated telephone at once. */
  readonly atOnce: number;
};

export async function openPlant(t: TestContext, caller: Caller): Promise<Plant> {
  const peer = await SipPeer.start(t, { kind: 'ring' });
  const hooks = await WebhookReceiver.start(t, 200);
  const mail = await startMailServer(['tocsin', 'cy']);
  t.after(() => mail.stop());
  const sip = { host: '127.0.0.1', port: peer.port, user: 'tocsin', register: true, ringIn: true };
  await caller.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings: sip });
  await caller.create('/providers', { name: 'Program', ...hooks.provider() });
  const account = `tocsin@${mailDomain}`;
  const ports = { host: '127.0.0.1', port: mail.smtpPort, imapHost: '127.0.0.1', imapPort: mail.imapPort };
  const settings = { ...ports, security: 'none', imapSecurity: 'none', user: account, from: account };
  await caller.create('/providers', {
    name: 'Mail',
    channel: 'email',
    kind: 'smtp',
    settings,
    secrets: { password: mailPassword },
  });
  const person = (name: string, number: object) =>
    caller.create('/users', { name, firstName: name, role: 'operator', numbers: [{ countTry: 1, ...number }] });
  const group = async (name: string, people: readonly number[], more: object) => {
    const members = people.map((userId) => ({ userId, relief: false }));
    const team = await caller.create('/teams', { name, members });
    return caller.create('/callgroups', { name, stationId: 1, teamIds: [team], ...more });
  };
  const ana = await person('ana', voice('+33100000001'));
  const bo = await person('bo', { channel: 'webhook', address: hooks.url('bo') });
  const eve = await person('eve', voice(answeringNumber));
  const cy = await person('cy', { channel: 'email', address: `cy@${mailDomain}` });
  const dan = await person('dan', { channel: 'simulator', address: '+33100000005' });
  return {
    peer,
    hooks,
    mail,
    inTurn: await group('In turn', [ana, bo], { callMode: 'turn' }),
    atOnce: await group('At once', [eve, bo, cy, dan], {}),
  };
}

/** Whether the person after a busy telephone is called; a provider that counts as down is checked again after 30 s. */
export async function callsTheNext(caller: Caller, plant: Plant, name: string, withinMs = 60_000): Promise<boolean> {
  const ringing = setInterval(() => plant.peer.rejectAll(), 50);
  try {
    const id = await tried(() => caller.alarms.raise(plant.inTurn, { path: name, alarmMessage: name }), 10);
    const isCalled = () => plant.hooks.messages.some(({ body }) => body.items.some(({ alarmId }) => alarmId === id));
    for (let waited = 0; waited < withinMs && !isCalled(); waited += 50) await pause(50);
    const found = isCalled();
    await tried(() => caller.ask('POST', `/alarms/${id}/acknowledge`), 10);
    return found;
  } finally {
    clearInterval(ringing);
  }
}

/** A client tries again what failed once. */
async function tried<T>(work: () => Promise<T>, times: number): Promise<T> {
  for (let time = 1; ; time += 1) {
    try {
      return await work();
    } catch (error) {
      if (time === times) throw error;
      await pause(200);
    }
  }
}

/** One turn of everything at once; what fails in it is what the test provoked. */
export async function traffic(t: TestContext, url: string, caller: Caller, plant: Plant, turn: number): Promise<void> {
  await Promise.allSettled([
    answeredCall(caller, plant, turn),
    hubs(t, url, caller.token),
    reads(url, caller.token),
    writes(url, caller.token),
    ...oddConnections(url),
  ]);
}

async function answeredCall(caller: Caller, { peer, atOnce }: Plant, turn: number): Promise<void> {
  const answering = setInterval(() => peer.pickUp(), 300);
  // Keys that follow one another faster do not count after the first.
  const keys = setInterval(() => peer.press('1'), 1_200);
  try {
    const id = await caller.alarms.raise(atOnce, { path: `Plant/${turn}`, priority: 2 });
    await pause(4_000);
    await caller.ask('POST', `/alarms/${id}/acknowledge`);
    await caller.ask('POST', '/alarms', { path: `Plant/${turn}`, alarmState: 0 });
  } finally {
    clearInterval(answering);
    clearInterval(keys);
  }
}

async function hubs(t: TestContext, url: string, token: string): Promise<void> {
  const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType;
  await Promise.allSettled([
    ...[WebSockets, ServerSentEvents, LongPolling].map(async (transport) => {
      const { connection } = await hubClient(t, url, token, { transport });
      await pause(1_000);
      await connection.stop();
    }),
    ...['webSockets', 'serverSentEvents', 'longPolling', 'foreverFrame'].map(async (transport) => {
      const { hub } = await classicClient(t, url, token, transport);
      await pause(1_000);
      hub.stop();
    }),
  ]);
}

const readPaths = [
  ...['/health/ready', '/health/live', '/health/calling', '/metrics', '/docs', '/', '/api/v1/openapi.json', '/nowhere'],
  ...['alarms', 'alarms/counts', 'call/histories', 'calls', 'system', 'users', 'providers', 'journal', 'histories'].map(
    (path) => `/api/v1/${path}`,
  ),
];

async function reads(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
  await Promise.allSettled(
    readPaths.map(async (path) => (await fetch(url + path, { headers, signal: AbortSignal.timeout(5_000) })).text()),
  );
}

async function writes(url: string, token: string): Promise<void> {
  const send = (type: string, body: string | Uint8Array<ArrayBuffer>, more: object = {}) =>
    fetch(`${url}/api/v1/alarms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type, ...more },
      body,
      signal: AbortSignal.timeout(5_000),
    });
  const alarm = JSON.stringify({ path: 'Plant/Valve', alarmMessage: 'stuck', priority: 3 });
  await Promise.allSettled([
    send('application/json', alarm),
    send('application/json', alarm, { 'idempotency-key': crypto.randomUUID() }),
    send('application/json', new Uint8Array(gzipSync(alarm)), { 'content-encoding': 'gzip' }),
    send('application/json', '{"path":'),
    send('text/plain', alarm),
    fetch(`${url}/api/v1/alarms`, { method: 'OPTIONS', headers: { origin: 'http://other.example' } }),
  ]);
}

/** Connections that end in the middle, or say what nobody understands. */
function oddConnections(url: string): readonly Promise<void>[] {
  const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  return [
    'POST /api/v1/alarms HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"path"',
    'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n',
    'NO SUCH THING\r\n\r\n',
    `GET /alarmHub HTTP/1.1\r\nHost: a\r\nHost: b\r\n${upgrade}${key}\r\n`,
    `GET /alarmHub?id=nobody HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`,
    `GET /signalr/connect?transport=webSockets HTTP/1.1\r\nHost: a\r\n${upgrade}${key}\r\n`,
  ].map((text) => cut(url, text));
}

async function cut(url: string, text: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(text);
  await pause(300);
  socket.resetAndDestroy();
}
