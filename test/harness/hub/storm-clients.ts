// One published client of each kind that only listens: it asks for no positions, and has to get every alarm of a storm.

import type { TestContext } from 'node:test';
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import { classicClient } from './classic-page.ts';

const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType;

const coreKinds = {
  WebSocket: { transport: WebSockets },
  'WebSocket, MessagePack': { transport: WebSockets, isPacked: true },
  'WebSocket, stateful reconnect': { transport: WebSockets, isStateful: true },
  'stateful reconnect, MessagePack': { transport: WebSockets, isStateful: true, isPacked: true },
  'Server-Sent Events': { transport: ServerSentEvents },
  'long polling': { transport: LongPolling },
  'long polling, MessagePack': { transport: LongPolling, isPacked: true },
} as const;

const classicKinds = {
  'classic WebSocket': 'webSockets',
  'classic Server-Sent Events': 'serverSentEvents',
  'classic long polling': 'longPolling',
} as const;

export type StormKind = keyof typeof coreKinds | keyof typeof classicKinds;

export const stormKinds = [...Object.keys(coreKinds), ...Object.keys(classicKinds)] as StormKind[];

export type StormClient = {
  readonly kind: StormKind;
  /** The paths of the alarms it received, in the order of arrival. */
  readonly heard: readonly string[];
  /** How often its connection ended, or was lost and opened again. */
  readonly breaks: number;
};

/** Connects a client, which is stopped by `t.after`; `url` may be that of a slow link. */
export function startStormClient(
  t: Pick<TestContext, 'after'>,
  kind: StormKind,
  url: string,
  token: string,
): Promise<StormClient> {
  return kind in classicKinds
    ? startClassic(t, kind as keyof typeof classicKinds, url, token)
    : startCore(t, kind as keyof typeof coreKinds, url, token);
}

/** It does not reconnect: a client that is cut misses the rest. */
async function startCore(
  t: Pick<TestContext, 'after'>,
  kind: keyof typeof coreKinds,
  url: string,
  token: string,
): Promise<StormClient> {
  const { transport, isPacked = false, isStateful = false }: CoreOptions = coreKinds[kind];
  const builder = new HubConnectionBuilder()
    .withUrl(`${url}/alarmHub`, { accessTokenFactory: () => token, transport })
    .configureLogging(LogLevel.None);
  if (isPacked) builder.withHubProtocol(new MessagePackHubProtocol());
  if (isStateful) builder.withStatefulReconnect();
  const connection = builder.build();
  const heard: string[] = [];
  let breaks = 0;
  connection.on('onAlarm', ({ path }) => heard.push(path));
  connection.onclose(() => {
    breaks += 1;
  });
  await connection.start();
  t.after(() => connection.stop());
  return {
    ...{ kind, heard },
    get breaks() {
      return breaks;
    },
  };
}

type CoreOptions = {
  readonly transport: HttpTransportType;
  readonly isPacked?: boolean;
  readonly isStateful?: boolean;
};

/** It reconnects by itself. */
async function startClassic(
  t: Pick<TestContext, 'after'>,
  kind: keyof typeof classicKinds,
  url: string,
  token: string,
): Promise<StormClient> {
  const { hub, alarms } = await classicClient(t as TestContext, url, token, classicKinds[kind]);
  let breaks = 0;
  hub.reconnecting(() => {
    breaks += 1;
  });
  return {
    kind,
    get heard() {
      return alarms.map(({ path }) => String(path));
    },
    get breaks() {
      return breaks;
    },
  };
}
