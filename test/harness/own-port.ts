// A port for a server that goes down and comes back to it: nobody gets it meanwhile who asks the system for any port.

import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that the system gives out; test files that run at once have others, for they are processes of their own. */
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
