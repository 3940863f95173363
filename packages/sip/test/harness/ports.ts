// Finds ports for the programs that the tests start, each for one process alone. A probe is not enough: two processes may find the same
// port free, and Linux lets two programs bind one UDP port when both ask for it to be reused, as Kamailio and SIPp do.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Below the ports that the system allocates. */
const [firstPort, ports] = [12_000, 18_000];
const reservations = join(tmpdir(), 'tocsin-test-ports');
const reserved: string[] = [];
/** Processes that run at the same time have neighbouring ids: each begins somewhere else. */
let next = (process.pid * 40) % ports;

process.once('exit', () => {
  for (const file of reserved) rmSync(file, { force: true });
});

/** A port that is free for both UDP and TCP on loopback, and that no other test process is given before this one ends. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + (next++ % ports);
    if (reserve(port) && !(await isTaken(port, 'udp')) && !(await isTaken(port, 'tcp'))) return port;
  }
}

function reserve(port: number): boolean {
  const file = join(reservations, String(port));
  mkdirSync(reservations, { recursive: true });
  for (let tries = 0; tries < 2; tries++) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      reserved.push(file);
      return true;
    } catch {
      if (isHolderAlive(file)) return false;
      rmSync(file, { force: true });
    }
  }
  return false;
}

/** Whether the process that reserved the port is there; one that was killed has left its file. */
function isHolderAlive(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

export async function isTaken(port: number, protocol: 'udp' | 'tcp', address = '127.0.0.1'): Promise<boolean> {
  const listener =
    protocol === 'udp' ? createSocket(address.includes(':') ? 'udp6' : 'udp4').bind(port, address) : undefined;
  const socket = listener ?? createServer().listen(port, address);
  const isBound = once(socket, 'listening').then(
    () => true,
    () => false,
  );
  const taken = !(await isBound);
  if (!taken || listener !== undefined) socket.close();
  return taken;
}
