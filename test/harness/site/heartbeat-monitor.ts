// An external monitor that counts the heartbeats of a server.

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export type HeartbeatMonitor = { readonly url: string; readonly beats: () => number };

/** `answer` may keep a response for later. */
export async function heartbeatMonitor(
  t: TestContext,
  answer: (response: ServerResponse) => void = (response) => response.end(),
): Promise<HeartbeatMonitor> {
  let beats = 0;
  const server = createServer((_, response) => {
    beats++;
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/beat`, beats: () => beats };
}
