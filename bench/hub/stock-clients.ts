// The process of published clients that come back by themselves, with nothing set but that.

import { HttpTransportType, type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { answerQuestions } from './asking.ts';
import { inTurns } from './in-turns.ts';
import type { ConnectionLimit } from './load.ts';
import { now } from './time.ts';

/** How many are connected, came back, gave up, and have heard of the newest alarm. */
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

async function connectOne({ url, token }: ConnectionLimit): Promise<void> {
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

answerQuestions({
  connect: (connectionLimit: ConnectionLimit) =>
    inTurns(connectionLimit.count, connectingAtOnce, () => connectOne(connectionLimit)),
  standing: (): Standing => ({
    connected: connections.filter(({ state }) => state === 'Connected').length,
    ...{ returns, givenUp, lastReturnAt },
  }),
  heard: (path: string) => heard.get(path) ?? 0,
});
// Kept alive by the channel, whose end is the end of the bench.
process.channel?.ref();
process.on('disconnect', () => process.exit());
