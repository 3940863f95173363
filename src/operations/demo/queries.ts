// Queries on the demo plant: whether there is one, whether one may be made, and whether something of it is due.

import type { DemoFacts } from '../../domain/demo/facts.ts';
import { firstPerson } from '../../domain/demo/people.ts';
import { firstTag } from '../../domain/demo/plant.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';
import { DemoEntries, findDemo } from './plant-rows.ts';

export const getDemo: Query<Record<string, never>, DemoFacts> = {
  name: 'get-demo',
  run: (tx) => readDemo(tx),
};

export async function readDemo(tx: ReadTx): Promise<DemoFacts> {
  const demo = await findDemo(tx);
  if (demo === undefined) return { state: 'none', refusal: await whyNotEmpty(tx) };
  const entries = await DemoEntries.load(tx);
  return {
    state: demo.state,
    refusal: 'There is a demo plant already.',
    madeAt: demo.madeAt,
    stationIds: entries.ids('station'),
    firstAlarmId: entries.find('alarm', firstTag.path),
    firstUserId: entries.find('user', firstPerson),
    firstRaiseAt: demo.moves === 0 ? (demo.nextMoveAt ?? undefined) : undefined,
  };
}

export type DueDemo = 'step' | 'move' | undefined;

/** Whether the plant is being made or removed, or its next move is due. */
export const findDueDemo: Query<{ readonly now: Instant }, DueDemo> = {
  name: 'find-due-demo',
  isQuick: true,
  async run(tx, { now }) {
    const demo = await findDemo(tx);
    if (demo === undefined) return undefined;
    if (demo.state !== 'ready') return 'step';
    return demo.nextMoveAt !== null && demo.nextMoveAt <= now ? 'move' : undefined;
  },
};

/**
 * Returns the sentence about what is there already; undefined if nothing is. What the demo plant consists of must not be there:
 * somebody would be called for a made-up alarm, or would take a real one for made up.
 */
export async function whyNotEmpty(tx: ReadTx): Promise<string | undefined> {
  for (const [found, select] of inUse)
    if ((await tx.one(select, {})) !== undefined)
      return `There is ${found} already: the demo plant is made in an empty installation only.`;
  return undefined;
}

const inUse = [
  [
    'an alarm',
    statement((db) =>
      db
        .selectFrom('alarms')
        .innerJoin('data_servers', 'data_servers.id', 'data_server_id')
        .select('alarms.id')
        .where('is_system', '=', 0)
        .limit(1),
    ),
  ],
  ['another user', statement((db) => db.selectFrom('users').select('id').orderBy('id').limit(1).offset(1))],
  ['another station', statement((db) => db.selectFrom('stations').select('id').orderBy('id').limit(1).offset(1))],
  ['a call group', statement((db) => db.selectFrom('call_groups').select('id').limit(1))],
  ['a team', statement((db) => db.selectFrom('teams').select('id').limit(1))],
  ['a schedule', statement((db) => db.selectFrom('schedules').select('id').limit(1))],
  ['a scenario', statement((db) => db.selectFrom('scenarios').select('id').limit(1))],
] as const;
