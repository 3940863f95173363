// Counts alarms by priority and state, masked alarms and those of Tocsin itself apart.

import { sql } from 'kysely';
import type { AlarmState } from '../../../domain/alarms/alarm.ts';
import { byShape, statement } from '../../../store/statement.ts';
import type { Query } from '../../../store/store.ts';
import { type AlarmSelection, conditionsOf, type FilterArgs, type FilterShape, shapeAndArgs } from './filter.ts';

/** The priority that stands for itself and all less urgent ones. */
export const lastCountedPriority = 4;

/** Numbers of alarms by state. */
export type StateCounts = Readonly<Record<AlarmState, number>>;

/** Each alarm is counted once: as masked, else as a system alarm, else by its priority. */
export type AlarmCounts = {
  /** Of priority 1 and so on. */
  readonly priorities: readonly StateCounts[];
  readonly system: StateCounts;
  readonly masked: StateCounts;
  readonly total: number;
};

const [ofSystem, ofMasked] = [0, -1];

/** A priority, or one of the two numbers above. */
const counted = sql<number>`case when alarms.mask_until is not null then ${sql.lit(ofMasked)}
  when data_servers.is_system = 1 then ${sql.lit(ofSystem)}
  when alarms.priority < ${sql.lit(lastCountedPriority)} then alarms.priority else ${sql.lit(lastCountedPriority)} end`;

const countStatement = byShape((shape: FilterShape) =>
  statement((db, args: FilterArgs, kind) =>
    db
      .selectFrom('alarms')
      .innerJoin('data_servers', 'data_servers.id', 'alarms.data_server_id')
      .select((eb) => [counted.as('counted'), 'alarms.state', eb.fn.countAll<number>().as('total')])
      .where((eb) => eb.and(conditionsOf(eb as never, shape, args, kind)))
      .groupBy([counted, 'alarms.state']),
  ),
);

export const countAlarms: Query<AlarmSelection, AlarmCounts> = {
  name: 'count-alarms',
  async run(tx, selection) {
    const found = await shapeAndArgs(tx, selection);
    const rows = found === undefined ? [] : await tx.all(countStatement(found.shape), found.args);
    const numberOf = (which: number, state: AlarmState): number =>
      rows.find((row) => row.counted === which && row.state === state)?.total ?? 0;
    const of = (which: number): StateCounts => ({
      0: numberOf(which, 0),
      1: numberOf(which, 1),
      2: numberOf(which, 2),
      3: numberOf(which, 3),
    });
    return {
      priorities: Array.from({ length: lastCountedPriority }, (_, index) => of(index + 1)),
      system: of(ofSystem),
      masked: of(ofMasked),
      total: rows.reduce((sum, { total }) => sum + total, 0),
    };
  },
};
