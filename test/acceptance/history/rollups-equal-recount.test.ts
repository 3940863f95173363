// After random commands on alarms, the roll-ups equal a recount of the history, and the lists agree with them.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { hashPassword } from '../../../src/access/password.ts';
import { systemCaller } from '../../../src/domain/access/access.ts';
import { hasDueAlarms } from '../../../src/operations/alarms/queries.ts';
import { addUser } from '../../../src/operations/people/users.ts';
import { fc } from '../../harness/fast-check.ts';
import { naiveHistory } from '../../harness/history/naive-history.ts';
import { recount } from '../../harness/history/recount.ts';
import { listsAgree, someListings } from '../../harness/history/some-listings.ts';
import { startTestApp, type TestApp } from '../../harness/site/app.ts';
import type { StoreName } from '../../harness/stores/stores.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const seed = 20261115;
const commandCount = 500;
const listingCount = 60;
const operatorPassword = 'three words at random';

type Command =
  | { readonly kind: 'report'; readonly station: number; readonly path: number; readonly body: object }
  | { readonly kind: 'value'; readonly path: number; readonly value: string }
  | { readonly kind: 'ask'; readonly verb: string; readonly alarm: number; readonly who: number; readonly body: object }
  | { readonly kind: 'acknowledgeSome'; readonly alarms: readonly number[]; readonly who: number }
  | { readonly kind: 'remove'; readonly alarm: number }
  | { readonly kind: 'wait'; readonly ms: number };

const comments = ['', '', 'seen by Élan', 'pump 2 stopped', 'ok'];
const messages = ['Pump too hot', 'Level low in tank 3', 'Tür offen', ''];
const reported = fc.record(
  {
    raised: fc.boolean(),
    tagGroup: fc.nat(3),
    alarmMessage: fc.constantFrom(...messages),
    alarmShortMessage: fc.constantFrom('17', 'hot', '4'),
    priority: fc.integer({ min: 1, max: 5 }),
    alarmDelay: fc.constantFrom(0, 0, 0, 40),
    temporary: fc.constantFrom(true, false, false, false),
    eventCondition: fc.record(
      { transitory: fc.boolean(), reactivatable: fc.boolean(), resettable: fc.constantFrom(true, true, false) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const number = fc.nat(1_000);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('report'), station: fc.nat(2), path: fc.nat(5), body: reported }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('value'), path: fc.nat(2), value: fc.constantFrom('10', '90') }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('ask'),
      verb: fc.constantFrom('acknowledge', 'acknowledge', 'acknowledge', 'comments', 'reset', 'mask', 'unmask'),
      alarm: number,
      who: fc.nat(3),
      body: fc.record({ comment: fc.constantFrom(...comments) }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('acknowledgeSome'),
      alarms: fc.array(number, { minLength: 1, maxLength: 5 }),
      who: fc.nat(3),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), alarm: number }) },
  // From one millisecond to more than a day, so that time buckets of every length begin.
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('wait'),
      ms: fc.nat(80).map((power) => Math.floor(10 ** (power / 10))),
    }),
  },
) as fc.Arbitrary<Command>;

/** Three stations, a further data server, tag groups, three users and a key, for the commands to use. */
async function plant(app: TestApp) {
  const admin = await app.signIn();
  const make = async (path: string, body: object): Promise<number> => {
    const answer = await app.request('POST', `/api/v1/${path}`, { token: admin, body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body as number;
  };
  const stations = [1, await make('stations', { name: 'North' }), await make('stations', { name: 'South' })];
  const server = await make('dataservers', { name: 'PLC', stationId: 1 });
  const groups: number[] = [];
  for (const [index, stationId] of [1, 1, 2].entries()) {
    groups.push(await make('taggroups', { name: `Line ${index}`, stationId }));
  }
  const passwordHash = await hashPassword(operatorPassword);
  for (const name of ['Ada Low', 'Bea High']) {
    const user = { name, role: 'operator', passwordHash, stationIds: [] } as const;
    await app.store.write(addUser, { caller: systemCaller, ...user });
  }
  return { stations, server, groups, tokens: await tokensOf(app, admin) };
}

async function tokensOf(app: TestApp, admin: string): Promise<readonly string[]> {
  const expiryTime = new Date(app.clock.now() + 300 * 86_400_000).toISOString();
  const body = { name: 'program', scopes: ['alarms:ack', 'alarms:mask'], expiryTime };
  const key = await app.request('POST', '/api/v1/auth/keys', { token: admin, body });
  assert.equal(key.status, 200, key.text);
  const users = [await app.signIn('Ada Low', operatorPassword), await app.signIn('Bea High', operatorPassword)];
  return [admin, ...users, (key.body as { token: string }).token];
}

type Plant = Awaited<ReturnType<typeof plant>>;

async function carryOut(app: TestApp, { stations, server, groups, tokens }: Plant, ids: Set<number>, command: Command) {
  const token = tokens[0];
  const idOf = (index: number) => [...ids][index % Math.max(ids.size, 1)] ?? 1;
  const send = (method: string, path: string, body?: unknown, who = token) =>
    app.request(method, `/api/v1/${path}`, { token: who, body });
  switch (command.kind) {
    case 'wait':
      return app.clock.advance(command.ms);
    case 'report': {
      const { tagGroup, ...body } = command.body as { tagGroup?: number };
      const place = command.station === 2 ? { dataServerId: server } : { stationId: stations[command.station] };
      const group = tagGroup === undefined ? {} : { tagGroupId: groups[tagGroup] ?? 0 };
      const answer = await send('POST', 'alarms', { path: `tag ${command.path}`, ...place, ...group, ...body });
      assert.equal(answer.status, 200, answer.text);
      return ids.add(answer.body as number);
    }
    case 'value':
      return send('POST', 'tags/values', [{ path: `tag ${command.path}`, value: command.value }]);
    case 'acknowledgeSome':
      return send('POST', 'alarms/acknowledge', { ids: command.alarms.map(idOf) }, tokens[command.who]);
    case 'remove':
      return send('DELETE', `alarms/${idOf(command.alarm)}`);
    case 'ask': {
      const until = new Date(app.clock.now() + 7_000_000).toISOString();
      const body = command.verb === 'mask' ? { until, reason: 'work' } : command.body;
      const answer = await send('POST', `alarms/${idOf(command.alarm)}/${command.verb}`, body, tokens[command.who]);
      return assert.ok([200, 400, 404, 409, 422].includes(answer.status), answer.text);
    }
  }
}

/** Runs up to four commands at a time, so that they share transactions; time advances between them. */
async function carryOutAll(app: TestApp, commands: readonly Command[]): Promise<void> {
  const where = await plant(app);
  const ids = new Set<number>();
  let together: Promise<unknown>[] = [];
  for (const [index, command] of commands.entries()) {
    if (command.kind === 'wait' || index % 4 === 0) {
      await Promise.all(together);
      together = [];
    }
    together.push(Promise.resolve(carryOut(app, where, ids, command)));
  }
  await Promise.all(together);
  await until(
    () => app.store.read(hasDueAlarms, { now: app.clock.now() }),
    (isDue) => !isDue,
  );
}

async function afterManyCommands(t: TestContext, kind: StoreName) {
  const app = await startTestApp(t, kind, { overrides: { TOCSIN_TOKEN_SECONDS: '2592000' } });
  await carryOutAll(app, fc.sample(fc.noBias(command), { numRuns: commandCount, seed }));
  const tables = await tablesOf(app.environment);
  t.after(() => tables.close());
  return { app, tables };
}

testOnStores('roll-ups, series and the word index equal a recount after random commands', async (t, kind) => {
  const { app, tables } = await afterManyCommands(t, kind);
  for (const [name, { rows, wrong, missing }] of Object.entries(await recount(tables))) {
    assert.ok(rows > 5, `hardly any ${name}: ${rows}`);
    assert.deepEqual({ wrong, missing }, { wrong: [], missing: [] }, name);
  }
  const naive = await naiveHistory(tables, 'Europe/Paris');
  const entries = await tables.all('alarm_histories');
  await listsAgree(app, naive, someListings(entries, { count: listingCount, seed }));
});
