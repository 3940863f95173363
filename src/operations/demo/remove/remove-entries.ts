// Removes the scenarios, groups, schedules, teams, people and stations of the demo plant, each as an administrator would.

import { sql } from 'kysely';
import { AppError } from '../../../errors.ts';
import { deleteRows } from '../../../store/row-batch.ts';
import { idsIn, type Statement, sqlStatement } from '../../../store/statement.ts';
import { target } from '../../../store/statement-tables.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import { removePeopleEntry } from '../../people/change-resource.ts';
import { removeUser } from '../../people/users/remove-user.ts';
import { incrementPeopleVersion } from '../../people/version.ts';
import { removePlantEntry } from '../../plant/change-resource.ts';
import { callerNamed, DemoEntries, type DemoRow, removeDemoRow, removeEntries } from '../plant-rows.ts';
import type { DemoKind } from '../tables.ts';

const entriesAStep = 10;

/** Those that refer to others before them. */
const order = ['scenario', 'callGroup', 'schedule', 'team', 'user', 'tagGroup', 'station'] as const;

export async function removeEntriesOfDemo(tx: Tx, now: Instant, demo: DemoRow): Promise<'more' | 'done'> {
  const entries = await DemoEntries.load(tx);
  const next = order.flatMap((kind) => entries.ids(kind).map((id) => ({ kind, id }))).slice(0, entriesAStep);
  if (next.length === 0) {
    await tx.run(removeEntries, {});
    await tx.run(removeDemoRow, {});
    return 'done';
  }
  await unlink(tx, entries);
  const caller = callerNamed(demo.removedBy ?? demo.madeBy);
  for (const { kind, id } of next) await unlessGone(() => removalOf(kind)(tx, now, caller, id));
  await tx.each(
    forgetEntries,
    next.map(({ kind, id }) => ({ kind, entry_id: id })),
  );
  return 'more';
}

type Removal = (tx: Tx, now: Instant, caller: ReturnType<typeof callerNamed>, id: number) => Promise<void>;

function removalOf(kind: (typeof order)[number]): Removal {
  if (kind === 'tagGroup' || kind === 'station')
    return (tx, now, caller, id) => removePlantEntry.run(tx, now, { kind, caller, id });
  // A key that one of its people has made would keep the rest of the plant from being removed.
  if (kind === 'user') return (tx, now, caller, id) => removeUser.run(tx, now, { caller, id, keys: 'revoke' });
  return (tx, now, caller, id) => removePeopleEntry.run(tx, now, { kind, caller, id });
}

/** Somebody may have removed it before. */
async function unlessGone(remove: () => Promise<void>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not-found')) throw error;
  }
}

/** Removes what the entries of the plant refer to among themselves, because such references may go round in circles. */
async function unlink(tx: Tx, entries: DemoEntries): Promise<void> {
  for (const [kind, removal] of links) await tx.run(removal, { ids: JSON.stringify(entries.ids(kind)) });
  await incrementPeopleVersion(tx, 'all', 0);
}

const links: readonly (readonly [DemoKind, Statement<{ ids: string }, unknown>])[] = [
  [
    'callGroup',
    sqlStatement(
      (args, kind) => sql`update ${target('call_groups')} set relief_group_id = null
        where id in ${idsIn(args.ids, kind)} and relief_group_id is not null`,
    ),
  ],
  [
    'user',
    sqlStatement(
      (args, kind) => sql`update ${target('users')} set replaced_by_id = null
        where id in ${idsIn(args.ids, kind)} and replaced_by_id is not null`,
    ),
  ],
  [
    'user',
    sqlStatement(
      (args, kind) => sql`update ${target('user_numbers')} set schedule_id = null
        where user_id in ${idsIn(args.ids, kind)} and schedule_id is not null`,
    ),
  ],
  [
    'station',
    sqlStatement(
      (args, kind) => sql`delete from ${target('scenario_stations')} where station_id in ${idsIn(args.ids, kind)}`,
    ),
  ],
  [
    'tagGroup',
    sqlStatement(
      (args, kind) => sql`delete from ${target('scenario_tag_groups')} where tag_group_id in ${idsIn(args.ids, kind)}`,
    ),
  ],
];

const forgetEntries = deleteRows('demo_entries', { kind: 'text', entry_id: 'int' });
