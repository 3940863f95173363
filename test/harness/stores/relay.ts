// A TCP relay in front of a server that loses responses, as a failing network does.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

export type Relay = {
  readonly url: string;
  /** The next client that sends this text gets no response: its connection is cut when the server responds. */
  loseAnswersTo(text: string): void;
  readonly cuts: number;
};

export async function startRelay(t: TestContext, to: string): Promise<Relay> {
  const target = new URL(to);
  const open = new Set<Socket>();
  let marker: string | undefined;
  let cuts = 0;
  const relay = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    let isLost = false;
    client.on('data', (data) => {
      isLost ||= marker !== undefined && data.includes(marker);
      if (isLost) marker = undefined;
      server.write(data);
    });
    server.on('data', (data) => {
      if (!isLost) client.write(data);
      else if (!client.destroyed) {
        cuts++;
        client.destroy();
      }
    });
    for (const [socket, other] of [[client, server] as const, [server, client] as const]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        other.end();
      });
    }
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  t.after(() => {
    relay.close();
    for (const socket of open) socket.destroy();
  });
  const url = new URL(to);
  url.port = String((relay.address() as { port: number }).port);
  url.hostname = '127.0.0.1';
  return {
    url: url.href,
    loseAnswersTo(text) {
      marker = text;
    },
    get cuts() {
      return cuts;
    },
  };
}
