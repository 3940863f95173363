// What strangers and peers do to the others, each as a worker that repeats it until it is stopped: floods of SIP, connections left
// half open, batches, mail servers and receivers that are slow or send without end, and the requests that once held the server.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../packages/sip/test/harness/ports.ts';
import type { Heavy, LoadOptions } from './loads.ts';
import { ask } from './site.ts';

const held = 1_000;
const receivers = 100;

/** Made with the first turn, once for all. */
function firstTime<T>(make: (options: LoadOptions) => Promise<T>): (options: LoadOptions) => Promise<T> {
  let made: Promise<T> | undefined;
  return (options) => (made ??= make(options));
}

const trunkPort = firstTime(async (options) => {
  const listenPort = await freePort();
  const settings = { host: '127.0.0.1', port: await freePort(), user: 'bench', ringIn: true, listenPort };
  await ask(options, 'POST', '/providers', { name: 'Flooded', channel: 'voice', kind: 'sip', settings });
  return listenPort;
});

const stranger = firstTime(async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.2');
  await once(socket, 'listening');
  return socket;
});

async function sipFlood(options: LoadOptions, turn: number): Promise<string> {
  const [port, socket] = [await trunkPort(options), await stranger(options)];
  for (let n = 0; n < 100; n += 1) {
    const id = `flood-${turn}-${n}`;
    const head = [
      'INVITE sip:bench@127.0.0.1 SIP/2.0',
      `Via: SIP/2.0/UDP 127.0.0.2:${socket.address().port};branch=z9hG4bK${id}`,
      ...[`From: <sip:a@b>;tag=${n}`, 'To: <sip:b@b>', `Call-ID: ${id}`, 'CSeq: 1 INVITE', 'Max-Forwards: 9'],
      'Contact: <sip:a@127.0.0.2>',
    ];
    // One of a hundred is as long as a datagram may be, and all blanks.
    const more = n === 0 ? [`Subject: ${' '.repeat(60_000)}x`] : [];
    socket.send([...head, ...more, '', ''].join('\r\n'), port, '127.0.0.1', () => {});
  }
  await pause(10);
  return 'a hundred';
}

/** Connections on which something was sent, kept until the server closes them. */
const open = new Set<Socket>();

async function hold({ url }: LoadOptions, text: string, reads: boolean): Promise<string> {
  const { hostname, port } = new URL(url);
  // A few at a time: more at once than the system queues for the server are for the network in front.
  await pause(200);
  const missing = Math.min(20, held - open.size);
  for (let n = 0; n < missing; n += 1) {
    const socket = connect(Number(port), hostname);
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    socket.write(text);
    if (reads) socket.resume();
  }
  return `up to ${held}`;
}

const upgrade = (path: string, host = 'Host: a\r\n'): string =>
  `GET ${path} HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

const endlessMail = firstTime(async (options) => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(`220 ${'x'.repeat(100)}\r\n`);
    socket.once('data', () => socket.write(Buffer.alloc(8 * 2 ** 20, `250-${'y'.repeat(90)}\r\n`)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const settings = {
    ...{ host: '127.0.0.1', port: (server.address() as AddressInfo).port, security: 'none' },
    from: 'bench@plant.example',
  };
  return ask<number>(options, 'POST', '/providers', { name: 'Endless', channel: 'email', kind: 'smtp', settings });
});

/** A group of people whose receivers never answer. */
const slowGroup = firstTime(async (options) => {
  const server = createHttpServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await ask(options, 'POST', '/providers', {
    ...{ name: 'Slow', channel: 'webhook', kind: 'webhook' },
    settings: { allowHttp: true, allowPrivate: true, ports: [port] },
    secrets: { secret: 'a secret of the slow receivers' },
  });
  const members = [];
  for (let n = 0; n < receivers; n += 1) {
    const numbers = [{ channel: 'webhook', address: `http://127.0.0.1:${port}/${n}` }];
    const userId = await ask<number>(options, 'POST', '/users', { name: `slow ${n}`, role: 'operator', numbers });
    members.push({ userId, relief: false });
  }
  const teamId = await ask<number>(options, 'POST', '/teams', { name: 'Slow', members });
  return ask<number>(options, 'POST', '/callgroups', { name: 'Slow', stationId: 1, teamIds: [teamId] });
});

async function get({ url }: LoadOptions, path: string): Promise<number> {
  const response = await fetch(url + path);
  await response.arrayBuffer();
  return response.status;
}

export const hostile: Readonly<Record<string, Heavy>> = {
  'hostile: strangers ring in by SIP': sipFlood,
  'hostile: hub connections half open': (options) => hold(options, upgrade('/alarmHub'), true),
  'hostile: upgrades that are reset': async (options) => {
    await hold(options, upgrade('/alarmHub', 'Host: a\r\nHost: b\r\n'), true);
    for (const socket of open) socket.resetAndDestroy();
    return 'twenty';
  },
  'hostile: answers nobody reads': (options) =>
    hold(options, 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20), false),
  'hostile: batches of 10,000 alarms': async (options, turn) => {
    for (let part = 0; part < 10; part += 1) {
      const batch = Array.from({ length: 1_000 }, (_, n) => ({ path: `Batch/${part}/${n}`, raised: turn % 2 === 0 }));
      await ask(options, 'POST', '/alarms/batch', batch);
    }
    return 200;
  },
  'hostile: a mail server without end': async (options) => {
    const id = await endlessMail(options);
    await ask(options, 'POST', `/providers/${id}/test`);
    return 200;
  },
  'hostile: receivers that never answer': async (options, turn) => {
    const alarmActions = [{ type: 'CallGroup', id: await slowGroup(options) }];
    await ask(options, 'POST', '/alarms', { path: `Slow/${turn}`, priority: 3, alarmActions });
    await pause(200);
    return 200;
  },
  'hostile: readers of public documents': (options, turn) =>
    get(options, turn % 2 === 0 ? '/api/v1/openapi.json' : '/docs/reference.js'),
};
