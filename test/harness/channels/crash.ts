// Kills a server in the middle of a delivery and starts it again on the same store.

import type { TestContext } from 'node:test';
import { type ServerProcess, startServer } from '../server/server-process.ts';
import { adminPassword, migratedStore, type TestApp } from '../site/app.ts';
import { Caller, type Row } from '../site/site-caller.ts';
import { tablesOf } from '../stores/table-rows.ts';
import { until } from '../until.ts';

type Person = { readonly id: number };
type FarEnd = {
  readonly providers: readonly object[];
  address(person: number): string;
  deliveries(caller: Caller, people: readonly Person[]): number | Promise<number>;
  /** Confirms what has left and cannot be cancelled any more. */
  confirm?(): void;
};

/** Waits for as many deliveries as are expected; returns how many attempts and deliveries there were in the end for one person and one alarm. */
export async function crashDuringDelivery(
  t: TestContext,
  channel: string,
  peers: FarEnd,
  expected: number,
): Promise<{ readonly attempts: number; readonly deliveries: number }> {
  const environment = await migratedStore(t, 'sqlite');
  let server = await startServer(environment);
  t.after(() => server.end('SIGKILL'));
  let caller = await callerOn(server);
  for (const provider of peers.providers) await caller.create('/providers', { name: 'Provider', ...provider });
  const numbers = [{ channel, address: peers.address(1), countTry: 2 }];
  const userId = await caller.create('/users', { name: 'ana', firstName: 'ana', role: 'operator', numbers });
  const team = await caller.create('/teams', { name: 'Night', members: [{ userId, relief: false }] });
  const group = await caller.create('/callgroups', { name: 'Pumps', stationId: 1, teamIds: [team] });
  const alarm = await caller.alarms.raise(group, { priority: 3 });
  const count = () => peers.deliveries(caller, [{ id: userId }]);
  await until(count, (found) => found === 1);
  const tables = await tablesOf(environment);
  t.after(() => tables.close());
  const holder = async () => (await tables.all('call_attempts')).find((row) => row.channel === channel)?.lease_by;
  const killed = await holder();
  await server.end('SIGKILL');
  server = await startServer(environment);
  caller = await callerOn(server);
  const rows = async (): Promise<readonly Row[]> =>
    (await caller.list(`/call/histories?alarmId=${alarm}&limit=100`)).items.filter((row) => row.channel === channel);
  await until(holder, (now) => now !== killed);
  await until(count, (found) => found >= expected);
  await caller.ask('POST', `/alarms/${alarm}/acknowledge`);
  peers.confirm?.();
  await until(rows, (all) => all.every(({ endTime }) => endTime !== undefined));
  return { attempts: (await rows()).length, deliveries: await count() };
}

export async function callerOn({ url }: Pick<ServerProcess, 'url'>): Promise<Caller> {
  const request: TestApp['request'] = async (method, path, { token, body } = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? '' : JSON.parse(text), text };
  };
  const body = { grant_type: 'password', username: 'admin', password: adminPassword };
  const { body: session } = await request('POST', '/api/v1/auth/login', { body });
  return new Caller({ app: { request } as TestApp }, (session as { access_token: string }).access_token);
}
