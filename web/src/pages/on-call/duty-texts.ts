// Sentences about a duty: who has it, how they are reached, and by which entry of the schedule it is so.

import type { GroupOnDuty, OnCallSlot, Schedule, Team, UnreadyGroup, User } from '@tocsin/client';
import type { Read } from '../../data/lists/read.ts';
import type { Names } from '../../data/names.ts';
import type { Words } from '../../words/words.ts';
import { sideOf } from './plan/hand-overs.ts';

type OnDuty = Pick<OnCallSlot, 'members' | 'locked'>;

/** The regular members by name; where there are none, those of relief. */
export function namesOnDuty(duty: OnDuty, { byId }: Names): string {
  return sideOf(duty).userIds.map(byId).join(', ');
}

/** Those who are called when the others were not reached; empty if they have the duty themselves. */
export function reliefNames(duty: OnDuty, { byId }: Names): string {
  const relief = duty.members.filter((member) => member.relief);
  return relief.length === duty.members.length ? '' : relief.map(({ userId }) => byId(userId)).join(', ');
}

type ReachText = { readonly text: string; readonly isBad: boolean };

type ReachParts = {
  readonly duty: GroupOnDuty;
  readonly unready: UnreadyGroup | undefined;
  readonly users: Read<ReadonlyMap<number, User>>;
  readonly groupName: (id: number) => string;
  readonly isDiscarded: boolean;
  readonly names: Names;
  readonly words: Words;
};

/** How those on duty are reached, or why not. */
export function reachText({ duty, unready, users, groupName, isDiscarded, names, words }: ReachParts): ReachText {
  const { reach } = words.onCall;
  if (duty.locked) return { text: words.onCall.lockedAs(''), isBad: false };
  const [first] = unready?.unreachable ?? [];
  const instead = unready?.insteadGroupId;
  if (first !== undefined && unready?.reachable) {
    const text = instead ? reach.instead(groupName(instead)) : reach[first.cause](names.byId(first.userId));
    return { text, isBad: true };
  }
  if (duty.members.length === 0 || first !== undefined) {
    if (instead) return { text: reach.instead(groupName(instead)), isBad: true };
    if (isDiscarded) return { text: reach.discarded, isBad: true };
    return { text: reach.lastResort, isBad: true };
  }
  return { text: waysText(duty, users, words), isBad: false };
}

function waysText({ members }: OnDuty, users: ReachParts['users'], words: Words): string {
  const { reach } = words.onCall;
  const ids = sideOf({ members: [...members], locked: false }).userIds;
  const [only] = ids;
  if (ids.length > 1 || only === undefined) return reach.all;
  return users.name((all) => {
    const numbers = all.get(only)?.numbers.filter(({ valid, verified }) => valid && verified);
    if (numbers === undefined) return undefined;
    const ways = [...new Set(numbers.map(({ channel }) => words.timeline.channel(channel)))];
    return ways.length > 1 ? reach.ways(ways.join(', ')) : reach.numbers(numbers.length);
  }, reach.notKnown);
}

type WhyParts = {
  readonly schedule: Schedule | undefined;
  readonly teams: Read<ReadonlyMap<number, Team>>;
  readonly words: Words;
};

/** `why` is read first, `over` after it. */
export function whyText(slot: OnCallSlot, parts: WhyParts): { readonly why: string; readonly over: string } {
  const { source } = parts.words.onCall;
  if (slot.source === '') {
    return { why: slot.nobody === null || slot.teamIds.length > 0 ? source.always : source.gap, over: '' };
  }
  if (slot.overrideId === null) {
    const why = entryText(slot.source, parts);
    // The server says it in the language of the console.
    return { why: slot.nobody === null ? why : `${why}: ${slot.nobody}`, over: '' };
  }
  const kind = changeKindOf(slot);
  const name = { swap: source.swap, lock: source.lock, take: source.taken, override: source.override }[kind];
  const why = slot.reason === '' ? name : `${name} “${slot.reason}”`;
  if (slot.replaces === null) return { why, over: '' };
  const { teamId } = slot.replaces;
  const team = parts.teams.name((all) => all.get(teamId ?? 0)?.name, '');
  const entry = [entryText(slot.replaces.source, parts), team].filter(Boolean).join(' ');
  return { why, over: source.over(entry) };
}

type Change = {
  readonly swapId: number | null;
  readonly locked: boolean;
  readonly teamIds: readonly number[];
};

/** A person who has the duty alone has taken it, or was given it. */
export function changeKindOf({ swapId, locked, teamIds }: Change): 'swap' | 'lock' | 'take' | 'override' {
  if (swapId !== null) return 'swap';
  if (locked) return 'lock';
  return teamIds.length === 0 ? 'take' : 'override';
}

function entryText(source: string, { schedule, words }: WhyParts): string {
  const [, layer, digits] = /^(weekly|rotations)\[(\d+)\]$/.exec(source) ?? [];
  const weekly = layer === 'weekly' ? schedule?.weekly[Number(digits)] : undefined;
  if (weekly !== undefined) return words.onCall.source.weekly(weekly.from, weekly.to);
  const rotation = layer === 'rotations' ? schedule?.rotations[Number(digits)] : undefined;
  if (rotation === undefined) return source;
  const [, count = '', unit = ''] = /^(\d+)([hdw])$/.exec(rotation.every) ?? [];
  return words.onCall.source.rotation(Number(count), unit as 'h' | 'd' | 'w');
}
