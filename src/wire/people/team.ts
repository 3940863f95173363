// The JSON of teams.

import { type Static, Type } from 'typebox';
import type { PeopleFields, Stored } from '../../domain/people/entities.ts';
import type { Team } from '../../domain/people/person.ts';
import { printUtcLocal } from '../date-time.ts';
import { entryName, lastChange, maxListed } from '../entry.ts';
import { idOf } from '../paging.ts';

const name = entryName('Night A');
const defaultColour = '#808080';
const colour = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', description: 'In plans.', examples: ['#2f6fde'] });
const userId = idOf('user');
const relief = { description: 'Called when the others were not reached.' };

export const teamSchema = Type.Object(
  {
    id: idOf('team'),
    name,
    colour,
    members: Type.Array(
      Type.Object(
        {
          userId,
          relief: Type.Boolean(relief),
        },
        { title: 'TeamMember', description: 'A user in a team.' },
      ),
      { description: 'In the order in which they are called in turn.' },
    ),
    lastChange,
  },
  { title: 'Team', description: 'People who have the duty together.' },
);

export const teamBody = Type.Object(
  {
    name,
    colour: Type.Optional(Type.String({ ...colour, default: defaultColour })),
    members: Type.Optional(
      Type.Array(
        Type.Object(
          { userId, relief: Type.Optional(Type.Boolean({ ...relief, default: false })) },
          { title: 'TeamMemberBody', description: 'A user in a team.' },
        ),
        {
          maxItems: maxListed,
          description: 'In the order in which they are called in turn.',
        },
      ),
    ),
  },
  {
    title: 'TeamBody',
    description: 'People who have the duty together.',
    examples: [{ name: 'Night A', colour: '#2f6fde', members: [{ userId: 1 }] }],
  },
);

export function readTeam({
  name,
  colour = defaultColour,
  members = [],
}: Static<typeof teamBody>): PeopleFields['team'] {
  return {
    name,
    colour: colour.toLowerCase(),
    members: members.map(({ userId, relief = false }) => ({ userId, relief })),
  };
}

export function printTeam({ id, name, colour, members, lastChange }: Stored<Team>): Static<typeof teamSchema> {
  return {
    id,
    name,
    colour,
    members: members.map(({ userId, relief }) => ({ userId, relief })),
    lastChange: printUtcLocal(lastChange),
  };
}
