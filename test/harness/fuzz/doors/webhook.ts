// Receivers of webhooks whose answers have mistakes: status lines, headers, encodings, bodies that never end, and cuts.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '../../chance.ts';
import { webhookSecret } from '../../channels/webhook-receiver.ts';
import type { Caller } from '../../site/site-caller.ts';
import { type Door, groupOn, personOn } from '../fuzz-site.ts';
import { mutated } from '../mutate.ts';

const people = 40;
/**
 * So many groups are called in turn, as who was written to has a rest: with new people each time the directory would grow, and with it
 * the work of each change.
 */
const groups = 60;

const answers: readonly Buffer[] = [
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
  'HTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 503 Unavailable\r\nRetry-After: Thu, 19 Nov 2026 10:00:00 GMT\r\nConnection: close\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.0 400 Bad Request\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello',
  `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(3_000)}\r\nContent-Length: 100000\r\n\r\n${'z'.repeat(3_000)}`,
].map((text) => Buffer.from(text));

async function newGroup(caller: Caller, port: number, round: number): Promise<number> {
  const members = await Promise.all(
    Array.from({ length: people }, (_, n) => {
      const address = `http://127.0.0.1:${port}/${round}/${n}`;
      return personOn(caller, `hook ${port} ${round} ${n}`, { channel: 'webhook', address });
    }),
  );
  return groupOn(caller, `Hooks ${port} ${round}`, members);
}

export const webhook: Door = {
  name: 'webhooks, hostile receivers',
  async run(site, chance: Chance, count) {
    let sent = 0;
    const serve = (socket: Socket): void => {
      socket.on('error', () => {});
      socket.once('data', () => {
        for (let left = chance.int(1, 6); left > 0; left -= 1) {
          socket.write(mutated(chance.pick(answers), chance, answers));
          sent += 1;
        }
        if (chance.percent(80)) socket.end();
        else socket.resetAndDestroy();
      });
    };
    const server = createServer(serve).listen(0, '127.0.0.1');
    await once(server, 'listening');
    site.t.after(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const settings = { allowHttp: true, allowPrivate: true, ports: [port] };
    const provider = await site.caller.create('/providers', {
      ...{ name: `Hooks ${port}`, channel: 'webhook', kind: 'webhook', settings },
      secrets: { secret: webhookSecret },
    });
    const called: number[] = [];
    for (let round = 0; sent < count; round += 1) {
      const group = called[round % groups] ?? (await newGroup(site.caller, port, round));
      if (round < groups) called.push(group);
      const before = sent;
      const id = await site.caller.alarms.raise(group, { path: `Hooks/${port}/${round}`, priority: 3 });
      for (let waited = 0; waited < 40 && sent < before + 2 * people && sent < count; waited += 1) await pause(50);
      await site.caller.alarms.acknowledge(id);
      // Receivers that failed often are down until the provider passes its check.
      await site.caller.request('POST', `/providers/${provider}/test`);
    }
    await site.caller.ask('DELETE', `/providers/${provider}`);
    return sent;
  },
};
