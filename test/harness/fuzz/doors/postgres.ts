// PostgreSQL cut off in every phase: while connecting, signing in, parsing, executing, committing and listening, by a relay that lets
// each connection carry so many bytes in one direction and then cuts it in the middle of a message.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '../../chance.ts';
import { type Door, type FuzzSite, untilSent } from '../fuzz-site.ts';

const senders = 4;
/** Connecting and signing in take so many bytes; the statements after it many more. */
const bytesOfStart = 600;
const bytesOfWork = 30_000;

export class CuttingRelay {
  readonly #open = new Set<Socket>();
  readonly url: string;
  #chance: Chance | undefined;
  cuts = 0;

  private constructor(url: string) {
    this.url = url;
  }

  static async start(t: TestContext, to: string): Promise<CuttingRelay> {
    const target = new URL(to);
    const server = createServer((client) => relay.#serve(client, connect(Number(target.port), target.hostname)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(to);
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    const relay = new CuttingRelay(url.href);
    t.after(() => {
      server.close();
      for (const socket of relay.#open) socket.destroy();
    });
    return relay;
  }

  /** Cuts connections from now on, those that are open as well; without a chance none. */
  cut(chance: Chance | undefined): void {
    this.#chance = chance;
    if (chance !== undefined) for (const socket of this.#open) socket.destroy();
  }

  #serve(client: Socket, server: Socket): void {
    const chance = this.#chance;
    let left = chance?.int(0, chance.percent(40) ? bytesOfStart : bytesOfWork) ?? Number.POSITIVE_INFINITY;
    const counted = chance?.percent(50) ? client : server;
    for (const [from, to] of [[client, server] as const, [server, client] as const]) {
      this.#open.add(from);
      from.on('error', () => {});
      from.on('close', () => {
        this.#open.delete(from);
        to.destroy();
      });
      from.on('data', (bytes: Buffer) => {
        to.write(from === counted ? bytes.subarray(0, Math.max(0, left)) : bytes);
        if (from !== counted) return;
        left -= bytes.length;
        if (left > 0) return;
        this.cuts += 1;
        to.destroySoon();
      });
    }
  }
}

/** Counts cuts; alarms that were confirmed meanwhile must all be there. */
export function postgres(relay: CuttingRelay): Door {
  return {
    name: 'PostgreSQL, cut in every phase',
    async run(site: FuzzSite, chance, count) {
      const confirmed = new Set<number>();
      const before = relay.cuts;
      relay.cut(chance);
      let sent = 0;
      const send = async (): Promise<void> => {
        sent += 1;
        const answer = await site.caller.request('POST', '/alarms', { path: `Cut/${before}/${sent}`, priority: 5 });
        if (answer.status === 200) confirmed.add(answer.body as number);
        else await pause(20);
      };
      await untilSent(count, senders, () => relay.cuts - before, send);
      relay.cut(undefined);
      await site.expectAlarms(confirmed);
      return relay.cuts - before;
    },
  };
}
