// The JSON of overrides: exceptions to a schedule. It checks the format only; domain/on-call/ validates the meaning.

import { type Static, Type } from 'typebox';
import type { StoredOverride } from '../../domain/on-call/schedule.ts';
import type { WrittenOverride } from '../../domain/people/entities.ts';
import { idOrNull, optionalId } from '../entry.ts';
import { idOf, optionalText, uint } from '../paging.ts';

export const hours = '(?:[01][0-9]|2[0-3]):[0-5][0-9]';
export const day = '[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])';

export const civilTime = Type.String({
  pattern: `^${day}T${hours}(?::[0-5][0-9](?:[.][0-9]{3})?)?(?:Z|[+-]${hours})?$`,
  description: 'Local time in the zone of the schedule, unless it has an offset.',
  examples: ['2026-11-20T08:00'],
});
export const overrideReason = optionalText(1_024, { description: 'Why, for people.', examples: ['swap with A'] });

const lock = { description: 'Nobody is called.' };

export const overrideSchema = Type.Object(
  {
    id: idOf('override'),
    teamId: idOrNull('Who has the duty: a team,'),
    userId: idOrNull('or one person.'),
    from: civilTime,
    to: civilTime,
    reason: Type.String({ description: 'Why, for people.' }),
    lock: Type.Boolean(lock),
    swapId: idOrNull('The swap that it is part of; null: none.'),
  },
  { title: 'Override', description: 'An exception to the schedule.' },
);

const fields = {
  teamId: optionalId('Who has the duty: a team,'),
  userId: optionalId('or one person.'),
  from: civilTime,
  to: civilTime,
  reason: overrideReason,
  lock: Type.Optional(Type.Boolean({ ...lock, default: false })),
};

export const overrideBody = Type.Object(fields, {
  title: 'OverrideBody',
  description: 'An exception to the schedule: who has the duty for a period, or that nobody is called.',
  examples: [{ teamId: 1, from: '2099-11-20T08:00', to: '2099-11-21T08:00', reason: 'swap with A' }],
});

/** As part of a schedule. */
export const listedOverride = Type.Object(
  {
    id: Type.Optional(
      uint({ description: 'The id of the existing override that this one replaces; any other id is ignored.' }),
    ),
    ...fields,
  },
  { title: 'ScheduleOverrideBody', description: 'An exception to the schedule.' },
);

export function readOverride(body: Static<typeof listedOverride>): WrittenOverride {
  return {
    id: body.id ?? 0,
    teamId: body.teamId || undefined,
    userId: body.userId || undefined,
    from: body.from,
    to: body.to,
    reason: body.reason ?? '',
    lock: body.lock ?? false,
  };
}

export function printOverride(override: StoredOverride): Static<typeof overrideSchema> {
  const { id, teamId = null, userId = null, from, to, reason, lock, swapId = null } = override;
  return { id, teamId, userId, from, to, reason, lock, swapId };
}
