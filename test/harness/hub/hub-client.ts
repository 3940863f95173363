// Connects the published SignalR client to the alarm hub and records the messages it receives.

import type { TestContext } from 'node:test';
import {
  HttpTransportType,
  type HubConnection,
  HubConnectionBuilder,
  type IHttpConnectionOptions,
  LogLevel,
} from '@microsoft/signalr';
import type { Row } from '../site/site-caller.ts';

export type HubClient = {
  readonly connection: HubConnection;
  readonly alarms: Row[];
  readonly changes: Row[];
  readonly removals: number[];
  readonly positions: string[];
  readonly sounds: Row[];
  readonly phones: Row[];
  readonly calls: Row[];
};

type Options = {
  readonly path?: string;
  readonly transport?: HttpTransportType;
  readonly build?: (builder: HubConnectionBuilder) => HubConnectionBuilder;
};

/** Connects a client, which is stopped after the test. */
export async function hubClient(t: TestContext, url: string, token: string, options: Options = {}): Promise<HubClient> {
  const { path = '/alarmHub', transport = HttpTransportType.WebSockets, build = (builder) => builder } = options;
  const settings: IHttpConnectionOptions = { accessTokenFactory: () => token, transport };
  const builder = new HubConnectionBuilder().withUrl(`${url}${path}`, settings).configureLogging(LogLevel.None);
  const connection = build(builder).build();
  const client: HubClient = {
    connection,
    ...{ alarms: [], changes: [], removals: [], positions: [], sounds: [], phones: [], calls: [] },
  };
  connection.on('onAlarm', (alarm) => client.alarms.push(alarm));
  connection.on('onAlarmChanged', (alarm) => client.changes.push(alarm));
  connection.on('onAlarmRemoved', (id) => client.removals.push(id));
  connection.on('onPosition', (position) => client.positions.push(position));
  connection.on('onSound', (sound) => client.sounds.push(sound));
  connection.on('onPhone', (event) => client.phones.push(event));
  connection.on('onCall', (call) => client.calls.push(call));
  await connection.start();
  t.after(() => connection.stop());
  return client;
}
