// Changes of a random day that administrators make: people go off duty, leave and join teams, lose numbers; duties are taken over
// and locked; relief groups and the policy change.

import type { CallPolicy } from '../../../src/domain/calls/call.ts';
import type { Chance } from '../chance.ts';
import { type Organisation, randomPolicy } from './organisation.ts';

type At = { readonly at: number };

export type DirectoryChange = At &
  (
    | { readonly kind: 'duty'; readonly userId: number; readonly onDuty: boolean }
    | { readonly kind: 'replace'; readonly userId: number; readonly byId: number | undefined }
    | { readonly kind: 'leave-team' | 'join-team'; readonly userId: number; readonly teamId: number }
    | { readonly kind: 'delete'; readonly userId: number }
    | { readonly kind: 'remove-number' | 'switch-number'; readonly userId: number; readonly place: number }
    | { readonly kind: 'relief-group'; readonly groupId: number; readonly reliefGroupId: number | undefined }
    | Override
  );

/** Another team or person has the duty for a while, or nobody is called because it is locked. */
type Override = {
  readonly kind: 'override';
  readonly overrideId: number;
  readonly scheduleId: number;
  readonly afterMs: number;
  readonly lastsMs: number;
  readonly teamId: number | undefined;
  readonly userId: number | undefined;
  readonly lock: boolean;
};

/** Wrong PINs lock a number for a quarter of an hour. */
export type NumberLock = At & { readonly kind: 'lock-number'; readonly userId: number; readonly place: number };

export type PolicyChange = At & { readonly kind: 'policy'; readonly policy: CallPolicy };

const minute = 60_000;
const firstOverrideId = 1_000;

const kinds = [
  ...['duty', 'duty', 'duty', 'replace', 'leave-team', 'join-team', 'delete'],
  ...['remove-number', 'lock-number', 'switch-number', 'relief-group', 'override', 'override'],
] as readonly (DirectoryChange | NumberLock)['kind'][];

export function directoryChanges(
  { snapshot }: Organisation,
  at: () => number,
  chance: Chance,
): readonly (DirectoryChange | NumberLock)[] {
  const userIds = [...snapshot.people.keys()];
  const teamIds = [...snapshot.teams.keys()];
  const groupIds = [...snapshot.groups.keys()];
  const dutyIds = [...snapshot.groups.values()].flatMap(({ scheduleId }) => scheduleId ?? []);
  return Array.from({ length: chance.int(0, 16) }, (_, index): DirectoryChange | NumberLock => {
    const userId = chance.pick(userIds);
    const kind = chance.pick(kinds);
    switch (kind) {
      case 'duty':
        return { at: at(), kind, userId, onDuty: chance.percent(55) };
      case 'replace':
        return { at: at(), kind, userId, byId: chance.percent(50) ? chance.pick(userIds) : undefined };
      case 'leave-team':
      case 'join-team':
        return { at: at(), kind, userId, teamId: chance.pick(teamIds) };
      case 'delete':
        return { at: at(), kind, userId };
      case 'remove-number':
      case 'lock-number':
      case 'switch-number':
        return { at: at(), kind, userId, place: chance.int(0, 3) };
      case 'relief-group': {
        const groupId = chance.pick(groupIds);
        const others = groupIds.filter((id) => id > groupId);
        return { at: at(), kind, groupId, reliefGroupId: others.length > 0 ? chance.pick(others) : undefined };
      }
      default:
        if (dutyIds.length === 0) return { at: at(), kind: 'duty', userId, onDuty: true };
        return { at: at(), kind, overrideId: firstOverrideId + index, scheduleId: chance.pick(dutyIds), ...holder() };
    }
  });

  function holder() {
    const whose = chance.pick(['team', 'user', 'lock'] as const);
    return {
      afterMs: chance.percent(60) ? 0 : chance.int(0, 30 * minute),
      lastsMs: chance.int(1, 90) * minute,
      teamId: whose === 'team' ? chance.pick(teamIds) : undefined,
      userId: whose === 'user' ? chance.pick(userIds) : undefined,
      lock: whose === 'lock',
    };
  }
}

export function policyChanges(
  { snapshot, policy }: Organisation,
  at: () => number,
  chance: Chance,
): readonly PolicyChange[] {
  const count = chance.percent(30) ? chance.int(1, 4) : 0;
  return Array.from({ length: count }, (): PolicyChange => {
    const other = randomPolicy([...snapshot.groups.keys()], chance);
    const part = chance.pick(['priorities', 'cap', 'lastResortGroupId', 'tolls'] as const);
    return { at: at(), kind: 'policy', policy: { ...policy, [part]: other[part] } };
  });
}
