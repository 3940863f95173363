// Lists alarms by id, or the most urgent first.

import { type OrderByExpression, sql } from 'kysely';
import { byShape, statement } from '../../../store/statement.ts';
import type { Query } from '../../../store/store.ts';
import type { Tables } from '../../../store/tables.ts';
import { shown, shownTo } from '../queries.ts';
import { type StoredAlarm, storedAlarmOf } from '../record.ts';
import { type AlarmSelection, conditionsOf, type FilterArgs, type FilterShape, shapeAndArgs } from './filter.ts';

export type AlarmOrder = 'asc' | 'desc' | 'urgent';

type AlarmListing = AlarmSelection & {
  readonly order: AlarmOrder;
  readonly limit: number;
  readonly offset: number;
};

type ListArgs = FilterArgs & { limit: number; offset: number };
type ListShape = FilterShape & { readonly order: AlarmOrder };

/** Masked ones last; not acknowledged before acknowledged, then by priority, then the newest raise first. */
const urgentFirst = sql`case when alarms.mask_until is null then 0 else 1 end, case when alarms.state >= 2 then 0 else 1 end,
  alarms.priority, coalesce(alarms.raised_at, alarms.created_at) desc, alarms.id desc`;

type Order = OrderByExpression<Tables, 'alarms', object>;

function orderOf(order: AlarmOrder): Order {
  if (order === 'urgent') return urgentFirst as unknown as Order;
  return sql`alarms.id ${sql.raw(order)}` as unknown as Order;
}

const statements = byShape((shape: ListShape) => {
  const order = orderOf(shape.order);
  return {
    // The ids of the page are found first, so that no long row is sorted that is not on it.
    page: statement((db, args: ListArgs, kind) =>
      db
        .selectFrom((from) =>
          from
            .selectFrom('alarms')
            .select('alarms.id')
            .where((eb) => eb.and(conditionsOf(eb, shape, args, kind)))
            .orderBy(order)
            .limit(args.limit)
            .offset(args.offset)
            .as('page'),
        )
        .innerJoin('alarms', 'alarms.id', 'page.id')
        .innerJoin('data_servers', 'data_servers.id', 'alarms.data_server_id')
        .select(shown)
        .orderBy(order as never),
    ),
    count: statement((db, args: ListArgs, kind) =>
      db
        .selectFrom('alarms')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where((eb) => eb.and(conditionsOf(eb, shape, args, kind))),
    ),
  };
});

export const listAlarms: Query<AlarmListing, { items: readonly StoredAlarm[]; total: number }> = {
  name: 'list-alarms',
  async run(tx, { caller, order, limit, offset, ...selection }) {
    const found = await shapeAndArgs(tx, { caller, ...selection });
    if (found === undefined) return { items: [], total: 0 };
    const { page, count } = statements({ ...found.shape, order });
    const args = { ...found.args, limit, offset };
    const total = (await tx.one(count, args))?.total ?? 0;
    const rows = limit === 0 ? [] : await tx.all(page, args);
    const items = rows.map((row) => storedAlarmOf(row));
    return { items: await shownTo(tx, items, caller), total };
  },
};
