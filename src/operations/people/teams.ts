// Writes teams.

import type { PeopleFields } from '../../domain/people/entities.ts';
import { insertRows } from '../../store/row-batch.ts';
import { statement } from '../../store/statement.ts';
import type { Tx } from '../../store/store.ts';
import { refuseFields } from './refusals.ts';
import { missingAmong, type ResourceHooks } from './resource-hooks.ts';

export const teamHooks: ResourceHooks<'team'> = {
  searchedBy: ({ name }) => [name],
  async check(tx, { caller, fields: { members }, before }) {
    const named = members.map(({ userId }, index) => ({ field: `members[${index}].userId`, id: userId }));
    const former = before?.members.map(({ userId }) => userId);
    const twice = named.filter(({ id }, index) => named.findIndex((other) => other.id === id) < index);
    refuseFields([
      ...(await missingAmong(tx, caller, 'user', named, former)),
      ...twice.map(({ field, id }) => ({ field, message: `names user ${id} a second time` })),
    ]);
  },
  async insert(tx, now, words, { fields }) {
    const id = await tx.insert(insertTeam, { name: fields.name, words, colour: fields.colour, now });
    await putMembers(tx, id, fields);
    return id;
  },
  async update(tx, _now, id, { fields }) {
    await tx.run(updateTeam, { id, colour: fields.colour });
    await tx.run(removeMembers, { id });
    await putMembers(tx, id, fields);
  },
};

function putMembers(tx: Tx, id: number, { members }: PeopleFields['team']): Promise<void> {
  const rows = members.map(({ userId, relief }, index) => ({
    team_id: id,
    place: index,
    user_id: userId,
    relief: relief ? 1 : 0,
  }));
  return tx.each(insertMembers, rows);
}

const insertTeam = statement<{ name: string; words: string; colour: string; now: number }, { id: number }>((db, args) =>
  db
    .insertInto('teams')
    .values({ name: args.name, words: args.words, colour: args.colour, last_change: args.now })
    .returning('id'),
);

const updateTeam = statement<{ id: number; colour: string }>((db, args) =>
  db.updateTable('teams').set({ colour: args.colour }).where('id', '=', args.id),
);

const removeMembers = statement<{ id: number }>((db, args) =>
  db.deleteFrom('team_members').where('team_id', '=', args.id),
);

const insertMembers = insertRows('team_members', { team_id: 'int', place: 'int', user_id: 'int', relief: 'int' });
