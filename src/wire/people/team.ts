// The JSON of teams.

import { type Static, Type } from 'typebox';
import type { PeopleFields, Stored } from '../../domain/people/entities.ts';
import type { Team } from '../../domain/people/person.ts';
import { printUtcLocal } from '../date-time.ts';
import { entryName, lastChange, maxListed } from '../entry.ts';
import { uint } from '../paging.ts';

const name = entryName('Night A');
const defaultColour = '#808080';
const colour = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#2f6fde'] });
const userId = uint({ examples: [3] });

export const teamSchema = Type.Object({
  id: uint(),
  name,
  colour,
  members: Type.Array(
    Type.Object({
      userId,
      relief: Type.Boolean({ description: 'Called when the others were not reached.' }),
    }),
  ),
  lastChange,
});

export const teamBody = Type.Object({
  name,
  colour: Type.Optional(Type.String({ ...colour, default: defaultColour })),
  members: Type.Optional(
    Type.Array(Type.Object({ userId, relief: Type.Optional(Type.Boolean({ default: false })) }), {
      maxItems: maxListed,
      description: 'In the order in which they are called in turn.',
    }),
  ),
});

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
