// Opens the UDP port of a session, from a range where one is configured.

import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIP } from 'node:net';

/** Ports that a firewall lets pass, both included. Sessions use the even ones: the odd ones belong to RTCP. */
export type PortRange = { readonly from: number; readonly to: number };

/** Every port of the range is taken. */
export class NoFreePort extends Error {
  override readonly name = 'NoFreePort';
  readonly range: PortRange;

  constructor(range: PortRange) {
    super(`no UDP port from ${range.from} to ${range.to} is free for audio`);
    this.range = range;
  }
}

/** Binds a socket to the address; throws a `NoFreePort` when every port of the range is taken. */
export async function openUdpPort(address: string, range: PortRange | undefined): Promise<Socket> {
  if (range === undefined) return bind(address, 0);
  const first = range.from + (range.from % 2);
  const count = Math.max(0, Math.floor((range.to - first) / 2) + 1);
  // A port that has just been left may still get packets of its last call, so the search begins anywhere.
  const start = count === 0 ? 0 : randomInt(count);
  for (let tried = 0; tried < count; tried++) {
    try {
      return await bind(address, first + 2 * ((start + tried) % count));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new NoFreePort(range);
}

function bind(address: string, port: number): Promise<Socket> {
  const family = isIP(address) === 6 ? 6 : 4;
  const socket = createSocket({
    type: `udp${family}`,
    ipv6Only: family === 6,
    // Addresses are numeric here; asking the resolver costs more than sending.
    lookup: (name, _options, callback) => callback(null, name, family),
  });
  return new Promise((resolve, reject) => {
    socket.once('error', (error) => {
      socket.close();
      reject(error);
    });
    socket.bind({ port, address }, () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}
