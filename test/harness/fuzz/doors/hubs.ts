// Clients of both generations of SignalR: messages with mistakes over WebSockets, long polling and posts, and frames on raw sockets.

import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Chance } from '../../chance.ts';
import { type Door, type DoorSite, untilSent } from '../fuzz-site.ts';
import { mutated } from '../mutate.ts';

const atOnce = 6;
const mostOfConnection = 60;
const end = '\x1e';

const coreTexts: readonly Buffer[] = [
  '{"type":1,"invocationId":"1","target":"Subscribe","arguments":[{"priority":1}]}',
  '{"type":1,"target":"onAlarm","arguments":[1,"a",null,{"b":[]}]}',
  '{"type":1,"invocationId":"2","target":"GetAlarms","arguments":[],"streamIds":["1","2"]}',
  '{"type":2,"invocationId":"1","item":{"a":1}}',
  '{"type":3,"invocationId":"1","result":5}',
  '{"type":3,"invocationId":"1","error":"no"}',
  '{"type":4,"invocationId":"3","target":"Stream","arguments":[]}',
  '{"type":5,"invocationId":"3"}',
  '{"type":6}',
  '{"type":7,"error":"bye","allowReconnect":true}',
  '{"type":8,"sequenceId":12}',
  '{"type":9,"sequenceId":1}',
].map((text) => Buffer.from(text + end));

/** Arrays of MessagePack: type, headers, and what follows; each after its length. */
const corePacks: readonly Buffer[] = [
  '95018001a131a9537562736372696265',
  '9601 80 a131 a9537562736372696265 91 81a87072696f72697479 01 90',
  '9106',
  '9207a3627965',
  '9503 80 a131 03 05',
  '9502 80 a131 81a16101',
  '9208 0c',
  '9201c0',
].map((hex) => {
  const pack = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  return Buffer.concat([Buffer.of(pack.length), pack]);
});

const classicTexts: readonly Buffer[] = [
  '{"H":"alarmhub","M":"Subscribe","A":[{"priority":1}],"I":0}',
  '{"H":"alarmhub","M":"subscribe","A":[],"I":"1","S":{"a":1}}',
  '{"H":"nobody","M":"x","A":null,"I":2}',
  '{"C":"d-1,0|2,0","M":[]}',
  '{"I":"0","R":5}',
].map((text) => Buffer.from(text));

async function opened(socket: WebSocket): Promise<boolean> {
  socket.on('error', () => {});
  return Promise.race([once(socket, 'open').then(() => true), once(socket, 'close').then(() => false)]).catch(
    () => false,
  );
}

/** Sends messages until the server has enough of it; returns how many. */
async function talk(socket: WebSocket, chance: Chance, samples: readonly Buffer[], isText: boolean): Promise<number> {
  if (!(await opened(socket))) return 1;
  let sent = 0;
  while (sent < mostOfConnection && socket.readyState === WebSocket.OPEN) {
    socket.send(mutated(chance.pick(samples), chance, samples), { binary: !isText || chance.percent(10) });
    sent += 1;
    if (sent % 10 === 0) await pause(1);
  }
  if (chance.percent(50)) socket.close();
  else socket.terminate();
  return Math.max(1, sent);
}

async function tokenIn(response: Response | undefined, field: string): Promise<string> {
  const body = (await response?.json().catch(() => undefined)) as Readonly<Record<string, string>> | undefined;
  return body?.[field] ?? '';
}

async function core(site: DoorSite, chance: Chance): Promise<number> {
  const isText = chance.percent(50);
  const query = `access_token=${site.caller.token}`;
  const socket = new WebSocket(`${site.url.replace('http', 'ws')}/alarmHub?${query}`);
  const handshake = Buffer.from(`{"protocol":"${isText ? 'json' : 'messagepack'}","version":1}${end}`);
  socket.once('open', () => socket.send(chance.percent(80) ? handshake : mutated(handshake, chance)));
  return talk(socket, chance, isText ? coreTexts : corePacks, isText);
}

/** Negotiates, and posts messages while nobody polls, or polls. */
async function coreByPosts(site: DoorSite, chance: Chance): Promise<number> {
  const headers = { authorization: `Bearer ${site.caller.token}` };
  const signal = (): AbortSignal => AbortSignal.timeout(300);
  const ask = (path: string, init: RequestInit): Promise<Response | undefined> =>
    fetch(`${site.url}/alarmHub${path}`, { headers, signal: signal(), ...init })
      .then(async (response) => {
        await response.clone().arrayBuffer();
        return response;
      })
      .catch(() => undefined);
  const negotiated = await ask('/negotiate?negotiateVersion=1', { method: 'POST' });
  const connectionToken = await tokenIn(negotiated, 'connectionToken');
  const id = chance.percent(80) ? connectionToken : String(mutated(connectionToken, chance));
  const path = `?id=${encodeURIComponent(id)}`;
  const polled = ask(path, {});
  const handshake = Buffer.from(`{"protocol":"json","version":1}${end}`);
  const bodies = [handshake, ...Array.from({ length: 6 }, () => mutated(chance.pick(coreTexts), chance, coreTexts))];
  for (const body of bodies) await ask(path, { method: 'POST', body: new Uint8Array(body) });
  await ask(path, { method: 'DELETE' });
  await polled;
  return bodies.length;
}

async function classic(site: DoorSite, chance: Chance): Promise<number> {
  const signal = (): AbortSignal => AbortSignal.timeout(300);
  const data = JSON.stringify([{ name: 'alarmhub' }]);
  const connectionData = chance.percent(90) ? data : String(mutated(data, chance));
  const fields = { clientProtocol: '2.1', connectionData, access_token: site.caller.token };
  const address = (path: string, more: Readonly<Record<string, string>> = {}): string =>
    `${site.url}/signalr/${path}?${new URLSearchParams({ ...fields, ...more })}`;
  const negotiated = await fetch(address('negotiate'), { signal: signal() }).catch(() => undefined);
  const given = await tokenIn(negotiated, 'ConnectionToken');
  const connectionToken = chance.percent(80) ? given : String(mutated(given, chance));
  if (chance.percent(60)) {
    const query = { connectionToken, transport: 'webSockets' };
    const socket = new WebSocket(address('connect', query).replace('http', 'ws'));
    socket.once('open', () => void fetch(address('start', query), { signal: signal() }).catch(() => {}));
    return talk(socket, chance, classicTexts, true);
  }
  const query = { connectionToken, transport: chance.pick(['longPolling', 'serverSentEvents', 'foreverFrame']) };
  const connected = fetch(address('connect', query), { signal: signal() })
    .then((response) => response.arrayBuffer())
    .catch(() => {});
  const messages = Array.from({ length: 6 }, () => mutated(chance.pick(classicTexts), chance, classicTexts));
  for (const message of messages) {
    const body = new URLSearchParams({ data: message.toString('latin1') });
    await fetch(address('send', query), { method: 'POST', body, signal: signal() })
      .then((response) => response.arrayBuffer())
      .catch(() => {});
  }
  await connected;
  return messages.length;
}

function door(name: string, client: (site: DoorSite, chance: Chance) => Promise<number>): Door {
  return {
    name,
    run(site, chance, count) {
      let sent = 0;
      const work = async (): Promise<void> => {
        sent += await client(site, chance);
      };
      return untilSent(count, atOnce, () => sent, work);
    },
  };
}

export const coreHub = door('hub, ASP.NET Core', (site, chance) =>
  chance.percent(70) ? core(site, chance) : coreByPosts(site, chance),
);
export const classicHub = door('hub, classic', classic);
