// Finds a port for a server that is restarted on the same port: the system does not give it to other programs meanwhile.

import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the system allocates; test files that run at the same time are processes with other ids. */
let next = 20_000 + (process.pid % 1_000) * 10;

export async function ownPort(): Promise<string> {
  for (;;) {
    const port = next++;
    if (await isFree(port)) return String(port);
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
