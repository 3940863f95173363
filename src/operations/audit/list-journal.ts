// Lists the audit trail as the journal, newest first, with a cursor.

import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../domain/access/access.ts';
import type { AuditRow } from '../../domain/audit/entry.ts';
import { type DatabaseKind, idsIn, sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Query } from '../../store/store.ts';
import { allOf } from '../history/filter.ts';
import { isVisible } from '../named-rows.ts';
import { withoutForeignAlarms } from './foreign-alarms.ts';
import { auditRowOf, type EntryRow, entryColumns } from './rows.ts';

type JournalFilter = {
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  readonly actor?: string | undefined;
  readonly kind?: string | undefined;
  readonly subject?: string | undefined;
  readonly stationId?: number | undefined;
};

/** The place of an entry in the journal. */
export type JournalPlace = { readonly at: Instant; readonly id: number };

type JournalListing = {
  readonly caller: Pick<Caller, 'stationIds'>;
  readonly filter: JournalFilter;
  /** Only entries behind this place. */
  readonly after: JournalPlace | undefined;
  readonly limit: number;
};

type Args = {
  stationIds: string;
  from: Instant;
  to: Instant;
  actor: string;
  kind: string;
  subject: string;
  stationId: number;
  at: Instant;
  id: number;
  limit: number;
};

type Condition = keyof JournalFilter | 'bound' | 'after';

const conditions: Readonly<Record<Condition, (args: Args, kind: DatabaseKind) => RawBuilder<unknown>>> = {
  bound: (args, kind) => sql`station_id in ${idsIn(args.stationIds, kind)}
    and ${namesOnlyVisible('actor', args, kind)} and ${namesOnlyVisible('subject', args, kind)}`,
  from: (args) => sql`at >= ${args.from}`,
  to: (args) => sql`at < ${args.to}`,
  actor: (args) => sql`actor = ${args.actor}`,
  kind: (args) => sql`kind = ${args.kind}`,
  subject: (args) => sql`subject = ${args.subject}`,
  stationId: (args) => sql`station_id = ${args.stationId}`,
  after: (args) => sql`(at, id) < (${args.at}, ${args.id})`,
};

/**
 * Whether the column names no person, or one whom a caller bound to stations sees. People who were removed are not seen,
 * because their stations are not known any more.
 */
function namesOnlyVisible(column: 'actor' | 'subject', { stationIds }: Args, kind: DatabaseKind): RawBuilder<unknown> {
  const seen = { stationIds, sharedIds: '[]' };
  const name = sql.ref(column);
  return sql`(${name} is null or ${name} not like 'user:%'
    or ${name} in (select 'user:' || users.id from ${table('users')} where ${isVisible('person', seen, kind)}))`;
}

const columns = sql.join(entryColumns.map((column) => sql.ref(column)));

function pageWith(names: readonly Condition[]) {
  return sqlStatement<Args, EntryRow>(
    (args, kind) => sql`select ${columns} from ${table('audit_entries')}
      where ${allOf(names.map((name) => conditions[name](args, kind)))} order by at desc, id desc limit ${args.limit}`,
  );
}

const pages = new Map<string, ReturnType<typeof pageWith>>();

function pageFor(names: readonly Condition[]) {
  const found = pages.get(names.join()) ?? pageWith(names);
  pages.set(names.join(), found);
  return found;
}

/** Returns a page of entries, and whether there are more behind it. */
export const listJournal: Query<JournalListing, { readonly items: readonly AuditRow[]; readonly hasMore: boolean }> = {
  name: 'list-journal',
  async run(tx, { caller, filter, after, limit }) {
    const names: Condition[] = [
      ...(caller.stationIds.length > 0 ? (['bound'] as const) : []),
      ...(Object.keys(filter) as (keyof JournalFilter)[]).filter((name) => filter[name] !== undefined),
      ...(after === undefined ? [] : (['after'] as const)),
    ];
    const rows = await tx.all(pageFor(names), {
      stationIds: JSON.stringify(caller.stationIds),
      from: filter.from ?? 0,
      to: filter.to ?? 0,
      actor: filter.actor ?? '',
      kind: filter.kind ?? '',
      subject: filter.subject ?? '',
      stationId: filter.stationId ?? 0,
      at: after?.at ?? 0,
      id: after?.id ?? 0,
      limit: limit + 1,
    });
    const items = rows.slice(0, limit).map(auditRowOf);
    return { items: await withoutForeignAlarms(tx, items, caller), hasMore: rows.length > limit };
  },
};
