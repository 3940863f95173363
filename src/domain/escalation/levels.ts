// The present chain of levels of a target: the people on duty of its group, their relief members, each relief group likewise.
// Empty levels are left out. Pure.

import { type CallPolicy, type CallTarget, rulesOf } from '../calls/call.ts';
import { administrators } from '../calls/people-in-reach.ts';
import { onDutyIn, standInFor } from '../on-call/on-duty.ts';
import type { CallGroup } from '../people/call-group.ts';
import type { LevelKey } from './escalation.ts';
import type { Reason } from './reason.ts';
import type { DecisionTime, Depends, World } from './world.ts';

export type Level = {
  readonly key: LevelKey;
  /** The group whose people they are; undefined for a person called by name, and for the administrators. */
  readonly group: CallGroup | undefined;
  readonly isRelief: boolean;
  readonly userIds: readonly number[];
};

export type Chain = {
  readonly levels: readonly Level[];
  /** Why there are no levels. */
  readonly nobody:
    | { readonly groupId: number | undefined; readonly isLocked: boolean; readonly reason: Reason }
    | undefined;
};

type Directory = Pick<World, 'snapshot' | 'policy'>;

/** How long a level has to take an alarm before the next is called; 0: no limit. */
export function timeToTakeSeconds({ group }: Level, priority: number, policy: CallPolicy): number {
  return group?.timeToTakeSeconds ?? rulesOf(priority, policy).timeToTakeSeconds;
}

/** Computes each chain once for a decision. */
export class Chains {
  readonly #world: Directory;
  readonly #time: DecisionTime;
  readonly #known = new Map<string, { readonly result: Chain; readonly depends: Depends }>();

  constructor(world: Directory, time: DecisionTime) {
    this.#world = world;
    this.#time = time;
  }

  of(target: CallTarget): Chain {
    const name = `${target.kind} ${target.id}`;
    const known = this.#known.get(name);
    if (known === undefined) {
      const found = this.#time.during(() => this.#chainOf(target));
      this.#known.set(name, found);
      return found.result;
    }
    this.#time.note(known.depends);
    return known.result;
  }

  #chainOf({ kind, id }: CallTarget): Chain {
    const { snapshot, policy } = this.#world;
    switch (kind) {
      case 'user': {
        const { userId } = standInFor(id, snapshot);
        if (!snapshot.people.has(userId)) return nobodyIn(undefined, { code: 'target-removed' });
        return {
          levels: [{ key: `user ${id}`, group: undefined, isRelief: false, userIds: [userId] }],
          nobody: undefined,
        };
      }
      case 'group':
        return this.#ofGroup(id);
      case 'last-resort': {
        const own = policy.lastResortGroupId === undefined ? [] : this.#ofGroup(policy.lastResortGroupId).levels;
        const all = {
          key: 'administrators',
          group: undefined,
          isRelief: false,
          userIds: administrators(snapshot),
        } as const;
        const levels = [...own, all].filter(({ userIds }) => userIds.length > 0);
        return levels.length > 0 ? { levels, nobody: undefined } : nobodyIn(undefined, { code: 'nobody-on-call' });
      }
      case 'number':
        return { levels: [], nobody: undefined };
    }
  }

  #ofGroup(id: number): Chain {
    const { snapshot } = this.#world;
    const levels: Level[] = [];
    const visited = new Set<number>();
    for (let groupId: number | undefined = id; groupId !== undefined && !visited.has(groupId); ) {
      visited.add(groupId);
      const group = snapshot.groups.get(groupId);
      if (group === undefined) break;
      const { members, isLocked, until } = onDutyIn(group, snapshot, this.#time.civil);
      this.#time.noteCivil(until);
      // A locked duty means that nobody is to be called, the relief group included.
      if (isLocked) return levels.length > 0 ? { levels, nobody: undefined } : lockedIn(groupId);
      for (const isRelief of [false, true]) {
        const userIds = members.filter(({ relief }) => relief === isRelief).map(({ userId }) => userId);
        const key: LevelKey = isRelief ? `relief ${groupId}` : `duty ${groupId}`;
        if (userIds.length > 0) levels.push({ key, group, isRelief, userIds });
      }
      groupId = group.reliefGroupId;
    }
    if (levels.length > 0) return { levels, nobody: undefined };
    return nobodyIn(id, { code: snapshot.groups.has(id) ? 'nobody-on-call' : 'target-removed' });
  }
}

function nobodyIn(groupId: number | undefined, reason: Reason): Chain {
  return { levels: [], nobody: { groupId, isLocked: false, reason } };
}

function lockedIn(groupId: number): Chain {
  return { levels: [], nobody: { groupId, isLocked: true, reason: { code: 'duty-locked' } } };
}
