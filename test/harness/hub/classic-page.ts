// Connects the published client of classic ASP.NET SignalR 2 to the alarm hub, from a page without a browser.

import type { TestContext } from 'node:test';
import { openPage, type Untyped } from '../../../packages/signalr/test/harness/classic-page.ts';
import type { Row } from '../site/site-caller.ts';

export type ClassicClient = {
  readonly hub: Untyped;
  readonly server: Untyped;
  readonly alarms: Row[];
  readonly changes: Row[];
  readonly removals: number[];
  readonly sounds: Row[];
};

/** Connects a client, which is stopped after the test; `url` may be that of a proxy. */
export async function classicClient(
  t: TestContext,
  url: string,
  token: string,
  transport: string,
  mount = '/signalr',
): Promise<ClassicClient> {
  const { jQuery } = await openPage(t, `${url}/page`, `${url}${mount}/hubs`);
  const { hub, alarmHub } = jQuery.connection;
  const alarms: Row[] = [];
  alarmHub.client.onAlarm = (alarm: Row) => alarms.push(alarm);
  const changes: Row[] = [];
  alarmHub.client.onAlarmChanged = (alarm: Row) => changes.push(alarm);
  const removals: number[] = [];
  alarmHub.client.onAlarmRemoved = (id: number) => removals.push(id);
  const sounds: Row[] = [];
  alarmHub.client.onSound = (sound: Row) => sounds.push(sound);
  hub.qs = { access_token: token };
  await hub.start({ transport });
  return { hub, server: alarmHub.server, alarms, changes, removals, sounds };
}
