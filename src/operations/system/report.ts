// Reads the part of the report on the installation that is in the database.

import { sql } from 'kysely';
import type { ProviderState } from '../../domain/channels/provider.ts';
import {
  halfHourMs,
  halfHours,
  type OutcomeCount,
  type StateChange,
  type StoredReport,
  shownHalfHours,
} from '../../domain/system-report.ts';
import { sqlStatement, statement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';
import { listProviders } from '../providers/queries.ts';
import { unopenedByNode } from '../providers/unopened.ts';
import { listQuarantined } from '../quarantine/unplanned-end.ts';
import { readNodeScripts } from '../scripts/node-script-rows.ts';
import { forgottenAfterMs } from './nodes.ts';
import { listSetAside } from './set-aside.ts';

const hourMs = 3_600_000;
/** A provider that comes and goes with every check changes less often in the period. */
const mostChanges = 6_000;

export const getSystemReport: Query<{ readonly now: Instant }, StoredReport> = {
  name: 'get-system-report',
  async run(tx, { now }) {
    const attempts = await tx.all(countAttempts, { since: now - hourMs });
    const ofProvider = (id: number) => summed(attempts.filter(({ provider_id }) => provider_id === id));
    const providers = [];
    for (const shown of await listProviders.run(tx, { now })) {
      const { id } = shown.provider;
      const changes = await changesOf(tx, id, now - shownHalfHours * halfHourMs);
      providers.push({ ...shown, halfHours: halfHours(changes, now), lastHour: ofProvider(id) });
    }
    const nodes = await tx.all(selectNodes, { since: now - forgottenAfterMs });
    const scripts = await readNodeScripts(tx);
    const unopened = await unopenedByNode(tx);
    const channels = Map.groupBy(attempts, ({ channel }) => channel);
    return {
      nodes: nodes.map(({ id, address, seen_at }) => {
        const ofNode = scripts.find(({ node }) => node === id);
        const scriptIds = ofNode?.scripts?.map(([scriptId]) => scriptId);
        return { id, address, seenAt: seen_at, scriptIds, unopened: unopened.get(id) ?? [] };
      }),
      databaseBytes: Number((await tx.one(selectSize, {}))?.bytes ?? 0),
      providers,
      quarantine: await listQuarantined.run(tx, { now }),
      setAside: await listSetAside.run(tx, {}),
      lastHour: [...channels].flatMap(([channel, rows]) => summed(rows).map((count) => ({ channel, ...count }))),
    };
  },
};

type AttemptCount = {
  readonly channel: string;
  readonly provider_id: number | null;
  readonly outcome: string | null;
  readonly state: string;
  readonly count: number;
};

const underWayStates: ReadonlySet<string> = new Set(['due', 'started']);

function summed(rows: readonly AttemptCount[]): readonly OutcomeCount[] {
  const nameOf = ({ outcome, state }: AttemptCount): string =>
    outcome ?? (underWayStates.has(state) ? 'underWay' : 'delivered');
  return [...Map.groupBy(rows, nameOf)]
    .map(([outcome, counted]) => ({ outcome, count: counted.reduce((sum, { count }) => sum + Number(count), 0) }))
    .toSorted((one, other) => (one.outcome < other.outcome ? -1 : 1));
}

/** Returns the changes of a provider's state since a time, and the last one before it, in the order of time. */
async function changesOf(tx: ReadTx, id: number, since: Instant): Promise<readonly StateChange[]> {
  const before = await tx.all(selectChanges, { id, from: 0, to: since, limit: 1 });
  const within = await tx.all(selectChanges, { id, from: since, to: Number.MAX_SAFE_INTEGER, limit: mostChanges });
  return [...before, ...within]
    .map(({ at, data }) => ({ at, state: (JSON.parse(data) as { state: ProviderState }).state }))
    .toSorted((one, other) => one.at - other.at);
}

/** The newest first, by the index of the events of a subject. */
const selectChanges = sqlStatement<
  { id: number; from: Instant; to: Instant; limit: number },
  { at: Instant; data: string }
>(
  (args) => sql`select at, data from ${table('events')}
    where subject_id = ${args.id} and previous_id is null and kind = 'provider.health'
      and at > ${args.from} and at <= ${args.to} order by at desc limit ${args.limit}`,
);

const countAttempts = sqlStatement<{ since: Instant }, AttemptCount>(
  (args) => sql`select channel, provider_id, outcome, state, count(*) as count from ${table('call_attempts')}
    where created_at >= ${args.since} group by channel, provider_id, outcome, state`,
);

const selectNodes = statement((db, args: { since: Instant }) =>
  db.selectFrom('nodes').select(['id', 'address', 'seen_at']).where('seen_at', '>=', args.since).orderBy('id'),
);

const selectSize = sqlStatement<Record<string, never>, { bytes: number }>((_args, kind) =>
  kind === 'sqlite'
    ? sql`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
    : sql`select pg_database_size(current_database()) as bytes`,
);
