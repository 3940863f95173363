// The process of stock clients that reconnect by themselves, with no other option set.

import { HttpTransportType, type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { handleRequests } from './asking.ts';
import { inTurns } from './in-turns.ts';
import type { ClientGroup } from './load.ts';
import { now } from './time.ts';

/** How many clients are connected, have reconnected and have given up, and when the last one reconnected. */
export type Standing = {
  readonly connected: number;
  readonly returns: number;
  readonly givenUp: number;
  readonly lastReturnAt: number;
};

const connectingAtOnce = 50;

const connections: HubConnection[] = [];
const heard = new Map<string, number>();
let returns = 0;
let givenUp = 0;
let lastReturnAt = 0;

async function connectOne({ url, token }: ClientGroup): Promise<void> {
  const connection = new HubConnectionBuilder()
    .withUrl(`${url}/alarmHub`, { accessTokenFactory: () => token, transport: HttpTransportType.WebSockets })
    .withAutomaticReconnect()
    .configureLogging(LogLevel.None)
    .build();
  connection.on('onAlarm', ({ path }) => heard.set(path, (heard.get(path) ?? 0) + 1));
  connection.onreconnected(() => {
    returns += 1;
    lastReturnAt = now();
  });
  connection.onclose(() => {
    givenUp += 1;
  });
  await connection.start();
  connections.push(connection);
}

handleRequests({
  connect: (group: ClientGroup) => inTurns(group.count, connectingAtOnce, () => connectOne(group)),
  standing: (): Standing => ({
    connected: connections.filter(({ state }) => state === 'Connected').length,
    ...{ returns, givenUp, lastReturnAt },
  }),
  heard: (path: string) => heard.get(path) ?? 0,
});
// Kept alive by the IPC channel, which ends with the bench.
process.channel?.ref();
process.on('disconnect', () => process.exit());
