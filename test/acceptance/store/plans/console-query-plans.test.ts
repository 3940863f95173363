// What consoles and watches ask again and again is found by an index: views, silent sources, the day of a provider, the last hour.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { getOccurrenceTimeline } from '../../../../src/operations/history/occurrence-timeline.ts';
import { noteHeardReports } from '../../../../src/operations/sources/note-reports.ts';
import { hasSilentSources } from '../../../../src/operations/sources/watch.ts';
import { getSystemReport } from '../../../../src/operations/system/report.ts';
import { getViews, listSharedViews } from '../../../../src/operations/views/saved-views.ts';
import { byKeyOnly, clientConfig } from '../../../../src/store/postgres/prepared-connection.ts';
import type { Query } from '../../../../src/store/store.ts';
import { migratedStore, startOn } from '../../../harness/site/app.ts';
import { type Plan, plansOnPostgres, plansOnSqlite } from '../../../harness/stores/plans.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

type Explain = <A>(query: Query<A, unknown>, args: A) => Promise<readonly Plan[]>;

const caller = { stationIds: [] };
/** The reading part of the operation that writes reports down. */
const knownReports: Query<Parameters<typeof noteHeardReports.run>[2], unknown> = {
  name: 'known-reports',
  run: (tx, input) => noteHeardReports.run({ ...tx, each: async () => {} } as never, 0, input),
};
const reports = { source: 'key:1', fedBy: undefined, firstAt: 0, lastAt: 0, gaps: { counts: [], ms: [] } };

async function expectIndexes(explain: Explain): Promise<void> {
  const goesBy = async <A>(query: Query<A, unknown>, args: A, table: string, index: RegExp): Promise<void> => {
    const steps = (await explain(query, args)).filter(({ text }) => text.includes(table)).flatMap((plan) => plan.steps);
    assert.ok(
      steps.some((step) => index.test(step)),
      `${query.name} on ${table}: ${steps.join('\n')}`,
    );
  };
  await goesBy(getViews, { caller, owner: { kind: 'user', id: 1 } }, 'view_lists', /view_lists(?:_pkey|.*autoindex)/);
  await goesBy(listSharedViews, { caller }, 'view_lists', /view_lists_shared/);
  await goesBy(hasSilentSources, { now: 1, upSince: 0 }, 'source_reports', /source_reports_due/);
  await goesBy(
    knownReports,
    { upSince: 0, reports: [reports] },
    'source_reports',
    /source_reports(?:_pkey|.*autoindex)/,
  );
  const reader = { stationIds: [], language: 'en' } as const;
  const occurrence = { id: 1, reader, limit: 1, now: 1 };
  await goesBy(getOccurrenceTimeline, occurrence, 'alarm_histories', /alarm_histories_by_series/);
  await goesBy(getSystemReport, { now: 1 }, 'call_attempts', /call_attempts_by_time/);
  await goesBy(getSystemReport, { now: 1 }, 'provider.health', /events_by_subject/);
}

testOnStores('views, sources and the system report are read by their indexes', async (t, kind) => {
  const environment = await migratedStore(t, kind);
  // The simulated provider of a new installation is one whose changes are asked for.
  await (await startOn(t, environment)).stop();
  if (kind === 'sqlite') {
    const db = new DatabaseSync(join(environment.TOCSIN_DATA_DIR ?? '', 'tocsin.db'));
    await expectIndexes((query, args) => plansOnSqlite(db, query, args));
    db.close();
    return;
  }
  const client = new Client(clientConfig(environment.TOCSIN_DATABASE_URL ?? ''));
  await client.connect();
  // Small tables are rightly read from end to end: what counts is that there is an index that fits.
  await client.query(byKeyOnly);
  await expectIndexes((query, args) => plansOnPostgres(client, query, args, 'generic'));
  await client.end();
});
