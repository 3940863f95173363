// An external monitor that counts the heartbeats of a server.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export type HeartbeatMonitor = { readonly url: string; readonly beats: () => number };

export async function heartbeatMonitor(t: TestContext): Promise<HeartbeatMonitor> {
  let beats = 0;
  const server = createServer((_, response) => {
    beats++;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/beat`, beats: () => beats };
}
