// One published client in the bench itself, to see what and in which order all the others are told.

import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import type { Subject } from '../server.ts';
import type { Stage } from './stage.ts';

/** The alarms it was told of so far. */
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
