// Statements on the row of the demo plant and on the list of what belongs to it.

import type { Caller } from '../../domain/access/access.ts';
import { insertRows } from '../../store/row-batch.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, ReadTx, Tx } from '../../store/store.ts';
import type { DemoKind, DemoState } from './tables.ts';

const id = 1;

export type DemoRow = {
  readonly state: DemoState;
  readonly step: string;
  readonly done: number;
  readonly seed: number;
  readonly timeZone: string;
  readonly madeBy: string;
  readonly madeAt: Instant;
  readonly removedBy: string | null;
  readonly moves: number;
  readonly nextMoveAt: Instant | null;
};

const selectRow = statement((db) =>
  db
    .selectFrom('demo_plants')
    .select(['state', 'step', 'done', 'seed', 'moves'])
    .select(['time_zone as timeZone', 'made_by as madeBy', 'made_at as madeAt', 'removed_by as removedBy'])
    .select('next_move_at as nextMoveAt')
    .where('id', '=', id),
);

export function findDemo(tx: ReadTx): Promise<DemoRow | undefined> {
  return tx.one(selectRow, {});
}

export const insertDemo = statement<{ step: string; seed: number; timeZone: string; by: string; now: Instant }>(
  (db, args) =>
    db.insertInto('demo_plants').values({
      id,
      state: 'making',
      step: args.step,
      done: 0,
      seed: args.seed,
      time_zone: args.timeZone,
      made_by: args.by,
      made_at: args.now,
      removed_by: null,
      moves: 0,
      next_move_at: null,
    }),
);

export const setStep = statement<{ step: string; done: number }>((db, args) =>
  db.updateTable('demo_plants').set({ step: args.step, done: args.done }).where('id', '=', id),
);

export const setMove = statement<{ moves: number; nextMoveAt: Instant }>((db, args) =>
  db
    .updateTable('demo_plants')
    .set({ state: 'ready', moves: args.moves, next_move_at: args.nextMoveAt })
    .where('id', '=', id),
);

export const setRemoving = statement<{ step: string; by: string }>((db, args) =>
  db
    .updateTable('demo_plants')
    .set({ state: 'removing', step: args.step, done: 0, removed_by: args.by, next_move_at: null })
    .where('id', '=', id),
);

export const removeDemoRow = statement((db) => db.deleteFrom('demo_plants').where('id', '=', id));
export const removeEntries = statement((db) => db.deleteFrom('demo_entries'));

const insertEntries = insertRows('demo_entries', { kind: 'text', name: 'text', entry_id: 'int' });

const selectEntries = statement((db) =>
  db.selectFrom('demo_entries').select(['kind', 'name', 'entry_id']).orderBy('kind').orderBy('entry_id'),
);

/** What belongs to the demo plant, by kind and name. */
export class DemoEntries {
  readonly #byKind: ReadonlyMap<DemoKind, ReadonlyMap<string, number>>;

  private constructor(rows: readonly { kind: DemoKind; name: string; entry_id: number }[]) {
    const byKind = Map.groupBy(rows, ({ kind }) => kind);
    this.#byKind = new Map(
      [...byKind].map(([kind, list]) => [kind, new Map(list.map(({ name, entry_id }) => [name, entry_id]))]),
    );
  }

  static async load(tx: ReadTx): Promise<DemoEntries> {
    return new DemoEntries(await tx.all(selectEntries, {}));
  }

  /** Returns the id of an entry that was made before. */
  id(kind: DemoKind, name: string): number {
    const found = this.find(kind, name);
    if (found === undefined) throw new Error(`The demo plant has no ${kind} ${name}`);
    return found;
  }

  find(kind: DemoKind, name: string): number | undefined {
    return this.#byKind.get(kind)?.get(name);
  }

  /** Returns the ids of a kind in the order in which they were made. */
  ids(kind: DemoKind): readonly number[] {
    return [...(this.#byKind.get(kind)?.values() ?? [])];
  }
}

export function addEntries(tx: Tx, kind: DemoKind, made: readonly (readonly [name: string, id: number])[]) {
  return tx.each(
    insertEntries,
    made.map(([name, entry_id]) => ({ kind, name, entry_id })),
  );
}

/** The caller in whose name the plant is made or removed. */
export function callerNamed(actor: string): Caller {
  return { actor, stationIds: [] };
}
