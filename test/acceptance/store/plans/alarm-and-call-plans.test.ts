// No statement on the way of an alarm or of a call reads a table that grows with what happens from end to end: its cost stays the same
// with ten million rows of history.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { byKeyOnly, clientConfig } from '../../../../src/store/postgres/prepared-connection.ts';
import type { DatabaseKind } from '../../../../src/store/statement.ts';
import { scansOf } from '../../../harness/growing-tables.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { sms } from '../../../harness/site/site-phones.ts';
import { genericPlan, type Plan } from '../../../harness/stores/plans.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

/** Listens at the two database libraries, as record-statements.ts does. */
const executed: Record<DatabaseKind, Set<string>> = { sqlite: new Set(), postgres: new Set() };
const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (text, ...rest) {
  executed.sqlite.add(text);
  return prepare.call(this, text, ...rest);
};
const { parse } = pg.Connection.prototype;
pg.Connection.prototype.parse = function (query, more) {
  executed.postgres.add(query.text);
  parse.call(this, query, more);
};

/** What this test itself asks, or a list that a person opens: they are no part of the way. */
const asked: readonly RegExp[] = [
  // The list of attempts and its total, by which the test waits; the phones of the simulator, which a console shows.
  /^select (count\(\*\) as total|call_attempts\.id, .*) from "call_attempts" left join "user_numbers"/s,
  /row_number\(\) over \(partition by user_id .* from "phone_messages"/s,
];

/** As if somebody looked for attempts by a column without an index, and for all that there were for a person. */
const planted = [
  `select id from call_attempts where address = 'nobody'`,
  'select id from call_attempts where user_id = 1 order by created_at',
];

/**
 * An alarm and a batch, called for with tries, an alarm that joins, an answer, an acknowledgement and a return; a text, a reply
 * that names no code, one that takes the alarm and one that comes late.
 */
async function goTheWay(site: Site): Promise<void> {
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const cy = await site.person('cy', { numbers: [sms('+33600000003')] });
  await site.alarms.raise(await site.group('Tanks', [await site.team('Tanks', [cy])]), { path: 'Tank' });
  const { code } = await cy.hasText(/Pump1/);
  await cy.texts('1 0000');
  await cy.texts(`1 ${code}`);
  await site.ask('POST', '/alarms', { path: 'Tank', raised: false });
  await cy.texts(`1 ${code}`);
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { path: 'Lamp', alarmMessage: 'Lamp broken' });
  await ana.isCalled(/Lamp broken/);
  await site.alarms.raise(group, { path: 'Door', alarmMessage: 'Door open' });
  await site.ask('POST', '/alarms/batch', [
    { path: 'Lamp', raised: false },
    { path: 'Pump', raised: true },
  ]);
  await site.advance('60s');
  await site.expectWhatRings();
  await site.alarms.raise(await site.group('Gas', [await site.team('Gas', [bo])]), {
    path: 'Gas',
    alarmMessage: 'Gas leak',
  });
  await bo.isCalled(/Gas leak/);
  await bo.takes();
  const { items } = await site.list('/alarms');
  for (const { id } of items.filter(({ path }) => path !== 'Gas')) await site.alarms.acknowledge(Number(id));
  await site.ask('POST', '/alarms', { path: 'Pump', raised: false });
  await site.advance('10m');
  await site.app.poll();
  await site.expectWhatRings();
}

async function plansOf(site: Site, kind: DatabaseKind): Promise<readonly Plan[]> {
  const texts = [...executed[kind], ...planted].filter((text) =>
    /^\s*(select|insert|update|delete|with)\b/i.test(text),
  );
  const { TOCSIN_DATA_DIR: folder = '', TOCSIN_DATABASE_URL: url = '' } = site.app.environment;
  if (kind === 'sqlite') {
    const db = new DatabaseSync(join(folder, 'tocsin.db'), { readOnly: true });
    const explain = (text: string) => prepare.call(db, `EXPLAIN QUERY PLAN ${text}`).all();
    const plans = texts.map((text) => ({ text, steps: explain(text).map(({ detail }) => String(detail)) }));
    db.close();
    return plans;
  }
  const client = new pg.Client(clientConfig(url));
  await client.connect();
  await client.query(byKeyOnly);
  const plans: Plan[] = [];
  for (const text of texts) plans.push(await genericPlan(client, text));
  await client.end();
  return plans;
}

testOnStores(
  'no statement on the way of an alarm and of a call reads a growing table from end to end',
  async (t, kind) => {
    executed[kind].clear();
    const site = await startSite(t, kind);
    await goTheWay(site);
    const plans = await plansOf(site, kind);
    const wrong = scansOf(plans, kind, asked);
    assert.deepEqual(
      wrong.filter((line) => !planted.some((text) => line.endsWith(text))),
      [],
    );
    for (const text of planted)
      assert.ok(
        wrong.some((line) => line.endsWith(text)),
        `found: ${text}`,
      );
    for (const table of ['alarm_histories', 'call_causes', 'call_attempts', 'events'])
      assert.ok(
        plans.some(({ text }) => text.includes(table)),
        `the way leads over ${table}`,
      );
  },
);
