// Loads teams from the store, with their members in order.

import type { Stored } from '../../domain/people/entities.ts';
import type { Team } from '../../domain/people/person.ts';
import { statement } from '../../store/statement.ts';
import type { ReadTx } from '../../store/store.ts';
import { type Ids, idsArgument, isAmong, type NamedRow } from '../named-rows.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    teams: NamedRow & { colour: string };
    team_members: { team_id: number; place: number; user_id: number; relief: Flag };
  }
}

const selectTeams = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('teams')
    .select(['id', 'name', 'colour', 'last_change'])
    .where(isAmong('id', args.ids, kind))
    .orderBy('id'),
);

const selectMembers = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('team_members')
    .select(['team_id', 'user_id', 'relief'])
    .where(isAmong('team_id', args.ids, kind))
    .orderBy('team_id')
    .orderBy('place'),
);

/** Returns the teams in order of id. */
export async function loadTeams(tx: ReadTx, which: Ids): Promise<readonly Stored<Team>[]> {
  const args = idsArgument(which);
  if (args === undefined) return [];
  const rows = await tx.all(selectTeams, args);
  const members = Map.groupBy(await tx.all(selectMembers, args), ({ team_id }) => team_id);
  return rows.map(({ id, name, colour, last_change }) => ({
    id,
    name,
    colour,
    members: (members.get(id) ?? []).map(({ user_id, relief }) => ({ userId: user_id, relief: relief === 1 })),
    lastChange: last_change,
  }));
}
