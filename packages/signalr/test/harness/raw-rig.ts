// A SignalR server with raw connections beside a hub, and the published client's connection without its hub layer.

import { createRequire } from 'node:module';
import type { TestContext } from 'node:test';
import { HttpTransportType, LogLevel, TransferFormat } from '@microsoft/signalr';
import type { ByteConnection } from '../../src/connections.ts';
import { defineHub } from '../../src/hub.ts';
import type { TransportName } from '../../src/opening-request.ts';
import type { SignalROptions } from '../../src/options.ts';
import { type Rig, startRig } from './rig.ts';

type Published = typeof import('@microsoft/signalr/dist/esm/HttpConnection.js');
type Client = InstanceType<Published['HttpConnection']>;
const { HttpConnection } = createRequire(import.meta.url)('@microsoft/signalr/dist/cjs/HttpConnection.js') as Published;

export const transports = ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const;

export type RawRig = Rig & {
  /** The address of the raw connections. */
  readonly rawUrl: string;
  /** The server's ends of the connections, in the order in which they were opened. */
  readonly ends: ByteConnection[];
};

export async function echo(end: ByteConnection): Promise<void> {
  for await (const bytes of end.received) end.send(bytes);
}

export async function startRawRig(
  t: TestContext,
  options: Partial<Omit<SignalROptions, 'now'>> = {},
  onConnected: (end: ByteConnection) => unknown = echo,
): Promise<RawRig> {
  const ends: ByteConnection[] = [];
  const hub = defineHub({ name: 'beside', methods: { echo: (_call, value) => value } });
  const connections = {
    name: 'raw',
    onConnected(end: ByteConnection) {
      ends.push(end);
      return onConnected(end);
    },
  };
  const mounts = [
    { path: '/hub', hub },
    { path: '/hub/deep/down', connections },
    { path: '/elsewhere', connections },
  ];
  const rig = await startRig({ mounts, ...options });
  t.after(() => rig.stop());
  return { ...rig, rawUrl: `${rig.url}/deep/down`, ends };
}

/** A connected client and the bytes it received. */
export class RawClient {
  readonly connection: Client;
  bytes = Buffer.alloc(0);
  isClosed = false;

  private constructor(connection: Client) {
    this.connection = connection;
    connection.onreceive = (data) => {
      // Two overloads for the type checker.
      const bytes = typeof data === 'string' ? Buffer.from(data) : Buffer.from(data);
      this.bytes = Buffer.concat([this.bytes, bytes]);
    };
    connection.onclose = () => {
      this.isClosed = true;
    };
  }

  static async connect(url: string, transport: TransportName, token = '', format = TransferFormat.Text) {
    const client = new RawClient(
      new HttpConnection(url, {
        transport: HttpTransportType[transport],
        logger: LogLevel.None,
        accessTokenFactory: () => token,
      }),
    );
    await client.connection.start(format);
    return client;
  }

  get text(): string {
    return this.bytes.toString();
  }
}
