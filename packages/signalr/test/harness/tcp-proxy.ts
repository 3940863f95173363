// A TCP proxy whose connections a test can cut, or keep from passing on anything.

import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net';

export type TcpProxy = {
  readonly port: number;
  cut(chance?: number): void;
  /** Passes nothing on until `thaw`; connections are taken all the same. */
  freeze(): void;
  thaw(): void;
  readonly count: number;
  stop(): Promise<void>;
};

/**
 * Resets the connection. A socket that is ending already is only destroyed: Node cannot reset it, leaves its handle
 * half closed, and the process then never ends.
 */
function cutOff(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

/** Starts a TCP proxy whose connections can be reset: all of them, or each with a probability. */
export async function startProxy(targetPort: number): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let count = 0;
  let isFrozen = false;
  const joined = new Set<() => void>();
  const server = createServer((near) => {
    count += 1;
    const far = createConnection(targetPort, '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    const join = () => {
      near.pipe(far);
      far.pipe(near);
    };
    joined.add(join);
    near.on('close', () => joined.delete(join));
    if (!isFrozen) join();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const cut = (chance = 1) => {
    for (const socket of open) if (Math.random() < chance) cutOff(socket);
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    freeze() {
      isFrozen = true;
      for (const socket of open) socket.unpipe().pause();
    },
    thaw() {
      isFrozen = false;
      for (const join of joined) join();
    },
    get count() {
      return count;
    },
    async stop() {
      cut();
      await new Promise((done) => server.close(done));
    },
  };
}
