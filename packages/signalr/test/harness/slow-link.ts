// A TCP proxy that passes on what a server sends only so many bytes a second, as a slow link does.

import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

export type SlowLink = {
  readonly port: number;
  /** The number of connections opened through it so far. */
  readonly count: number;
  stop(): Promise<void>;
};

/** Each connection has the whole rate for itself; what clients send is passed on at once. */
export async function startSlowLink(targetPort: number, bytesPerSecond: number): Promise<SlowLink> {
  const open = new Set<Socket>();
  let count = 0;
  const server = createServer((near) => {
    count += 1;
    const far = createConnection(targetPort, '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => open.delete(socket));
    }
    near.pipe(far);
    passSlowly(far, near, bytesPerSecond);
    near.on('close', () => far.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    get count() {
      return count;
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Reads a chunk, passes it on, and reads nothing for as long as the link needs for it: the rest waits at the server. */
function passSlowly(from: Socket, to: Socket, bytesPerSecond: number): void {
  from.on('data', (chunk) => {
    to.write(chunk);
    from.pause();
    setTimeout(() => from.resume(), (1_000 * chunk.length) / bytesPerSecond);
  });
  from.on('end', () => to.end());
  from.on('close', () => to.end());
}
