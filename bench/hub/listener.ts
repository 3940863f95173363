// A stock client inside the bench, which shows what all clients receive and in which order.

import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import type { Subject } from '../server.ts';
import type { Stage } from './stage.ts';

/** Returns the alarms received so far. */
export async function listen(stage: Stage, { url, token }: Subject): Promise<readonly { readonly path: string }[]> {
  const alarms: { path: string }[] = [];
  const connection = new HubConnectionBuilder()
    .withUrl(`${url}/alarmHub`, { accessTokenFactory: () => token, transport: HttpTransportType.WebSockets })
    .configureLogging(LogLevel.None)
    .build();
  connection.on('onAlarm', (alarm) => alarms.push(alarm));
  await connection.start();
  stage.onEnd(() => connection.stop());
  return alarms;
}
