// The JSON of who is on duty and who could not be reached.

import { type Static, Type } from 'typebox';
import type { PassedClaim, PlannedSpan } from '../../domain/on-call/duty-plan.ts';
import { unreachableCauses } from '../../domain/on-call/duty-reason.ts';
import type { OnDuty } from '../../domain/on-call/on-duty.ts';
import type { Readiness, UnreadySpan } from '../../domain/on-call/readiness.ts';
import type { WordedDuty, WordedReadiness } from '../../domain/on-call/words/worded-duty.ts';
import type { CallGroup } from '../../domain/people/call-group.ts';
import { instantText, printInstant } from '../date-time.ts';
import { idOrNull } from '../entry.ts';
import { choice, idOf, uint } from '../paging.ts';

const group = {
  callGroupId: idOf('call group'),
  name: Type.String({ description: 'Its name.', examples: ['Pumps'] }),
  stationId: idOf('station it belongs to'),
};
const sentenceOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const member = Type.Object(
  {
    userId: idOf('user'),
    user: Type.String({ description: 'Their name.', examples: ['ana'] }),
    relief: Type.Boolean({ description: 'Whether they are called only when the others were not reached.' }),
    via: Type.String({
      description: 'Why the user is on duty, in the language of `Accept-Language`.',
      examples: ['team 5 "Night A" by weekly[0] of schedule 9 "Pumps programme"'],
    }),
    viaCode: choice(
      [
        ['member-of-team', 'as a member of a team'],
        ['named-by-schedule', 'by an entry of the schedule that names one person'],
      ],
      { description: 'The reason.' },
    ),
  },
  { title: 'PersonOnDuty', description: 'Somebody who is on duty.' },
);
const passedOver = Type.Object(
  {
    userId: idOrNull('Null when a whole team is missing.'),
    user: sentenceOrNull('Their name.'),
    teamId: idOrNull('A team that is not there.'),
    reason: Type.String({
      description: 'Why they are not called, in the language of `Accept-Language`.',
      examples: ['off duty'],
    }),
    code: choice(
      [
        ['replaced', 'another user stands in for them'],
        ['off-duty', 'they are off duty'],
        ['person-missing', 'they are not in the directory'],
        ['team-missing', 'the team is not in the directory'],
      ],
      { description: 'The reason.' },
    ),
  },
  { title: 'PersonPassedOver', description: 'Somebody of the group who is not called.' },
);

const nobodyCodes = [
  ['gap', 'the schedule gives the duty to nobody'],
  ['locked', 'an override locks the duty'],
  ['no-teams', 'the group has neither teams nor a schedule'],
  ['no-members', 'the teams on duty have no members'],
  ['all-passed-over', 'nobody of those on duty can be called'],
] as const;
const nobodyReason = {
  nobody: sentenceOrNull('Why nobody is on duty, in the language of `Accept-Language`.'),
  nobodyCode: Type.Optional(choice(nobodyCodes, { description: 'The reason; not given if somebody is on duty.' })),
};

const onDuty = Type.Object(
  {
    ...group,
    members: Type.Array(member, { description: 'Regular members first, then relief members.' }),
    passedOver: Type.Array(passedOver, { description: 'Who is not called, and why.' }),
    ...nobodyReason,
    locked: Type.Boolean({ description: 'An override locks the duty, so that nobody is called.' }),
    until: sentenceOrNull(
      'When the schedule hands over; null: the group has none, or the duty stays for more than three months.',
    ),
  },
  { title: 'GroupOnDuty', description: 'Who is on duty in a call group.' },
);

const at = instantText('The time it is about.');

export const onCallSchema = Type.Object(
  { at, items: Type.Array(onDuty, { description: 'The groups.' }) },
  { title: 'OnCall', description: 'Who is on duty at a time.' },
);

type GroupName = Pick<CallGroup, 'id' | 'name' | 'stationId' | 'timeZone' | 'scheduleId'>;

/** Times are printed in the zone of the group. */
export function printOnDuty(
  { id, name, stationId, timeZone }: GroupName,
  { members, passedOver, nobody, isLocked, until }: WordedDuty<OnDuty>,
  userNames: ReadonlyMap<number, string>,
): Static<typeof onDuty> {
  return {
    callGroupId: id,
    name,
    stationId,
    members: printMembers(members, userNames),
    passedOver: passedOver.map(({ userId = null, teamId = null, reason }) => ({
      userId,
      user: userId === null ? null : (userNames.get(userId) ?? ''),
      teamId,
      reason: reason.sentence,
      code: reason.code,
    })),
    ...printNobody(nobody),
    locked: isLocked,
    until: until === undefined ? null : printInstant(until, timeZone),
  };
}

function printMembers(
  members: WordedDuty<OnDuty>['members'],
  userNames: ReadonlyMap<number, string>,
): Static<typeof member>[] {
  return members.map(({ userId, relief, via: { sentence, code } }) => ({
    userId,
    user: userNames.get(userId) ?? '',
    relief,
    via: sentence,
    viaCode: code,
  }));
}

function printNobody(nobody: WordedDuty<OnDuty>['nobody']) {
  return nobody === undefined ? { nobody: null } : { nobody: nobody.sentence, nobodyCode: nobody.code };
}

const source = (description: string) => Type.String({ description, examples: ['weekly[0]'] });
const replaced = Type.Object(
  { source: source('The entry.'), teamId: idOrNull('The team that would have the duty.') },
  { title: 'ReplacedDuty', description: 'The entry that an override takes the place of, where it begins.' },
);
const dutySpan = Type.Object(
  {
    from: instantText('The beginning.'),
    to: instantText('The end.'),
    members: Type.Array(member, { description: 'Regular members first, then relief members.' }),
    ...nobodyReason,
    locked: Type.Boolean({ description: 'An override locks the duty, so that nobody is called.' }),
    teamIds: Type.Array(uint(), {
      description: 'The teams that have the duty; none: one person has it, or nobody.',
      examples: [[5]],
    }),
    source: source('The entry of the schedule; empty: the group has no schedule, or nobody has the duty.'),
    reason: Type.String({ description: 'The reason of the override; empty for other entries.' }),
    overrideId: idOrNull('The override by which it is so; null: none.'),
    swapId: idOrNull('The swap that the override is part of; null: none.'),
    replaces: Type.Union([replaced, Type.Null()], {
      description: 'What the override takes the place of; null: a gap, or there is no override.',
    }),
  },
  { title: 'OnCallSlot', description: 'Who is on duty for a time, and by which entry of the schedule.' },
);
const passedClaim = Type.Object(
  {
    from: instantText('The beginning.'),
    to: instantText('The end.'),
    source: source('The entry that is passed over.'),
    teamId: idOrNull('The team that it names.'),
    takenBy: source('The later entry, which counts.'),
  },
  { title: 'OnCallOverlap', description: 'A time that two weekly entries, or two rotations, give to different teams.' },
);

export const onCallSlotsSchema = Type.Object(
  {
    from: instantText('The beginning of the period.'),
    to: instantText('The end of the period.'),
    items: Type.Array(
      Type.Object(
        {
          ...group,
          timeZone: Type.String({ description: 'Whose clock its times are of.', examples: ['Europe/Paris'] }),
          scheduleId: idOrNull('Its schedule; null: all of its teams always have the duty.'),
          slots: Type.Array(dutySpan, { description: 'They cover the period without gaps, in order.' }),
          overlaps: Type.Array(passedClaim, { description: 'The first 200 in the period, in order.' }),
        },
        { title: 'GroupSlots', description: 'Who is on duty in a call group, over a period.' },
      ),
      { description: 'The groups.' },
    ),
    hasMore: Type.Boolean({ description: 'Groups are left out, because there would be more than 10,000 slots.' }),
  },
  { title: 'OnCallSlots', description: 'Who is on duty over a period.' },
);

/** Times are printed in the zone of the group. */
export function printSlots(
  { id, name, stationId, timeZone, scheduleId }: GroupName,
  {
    spans,
    overlaps,
  }: {
    readonly spans: readonly WordedDuty<PlannedSpan>[];
    readonly overlaps: readonly PassedClaim[];
  },
  userNames: ReadonlyMap<number, string>,
): Static<typeof onCallSlotsSchema>['items'][number] {
  return {
    callGroupId: id,
    name,
    stationId,
    timeZone,
    scheduleId: scheduleId ?? null,
    slots: spans.map((span) => printSpan(span, timeZone, userNames)),
    overlaps: overlaps.map((claim) => printClaim(claim, timeZone)),
  };
}

function printSpan(
  { from, to, members, nobody, isLocked, teamIds, source, reason, override, replaced }: WordedDuty<PlannedSpan>,
  timeZone: string,
  userNames: ReadonlyMap<number, string>,
): Static<typeof dutySpan> {
  return {
    from: printInstant(from, timeZone),
    to: printInstant(to, timeZone),
    members: printMembers(members, userNames),
    ...printNobody(nobody),
    locked: isLocked,
    teamIds: [...teamIds],
    source,
    reason,
    overrideId: override?.id ?? null,
    swapId: override?.swapId ?? null,
    replaces: replaced === undefined ? null : { source: replaced.source, teamId: teamOf(replaced) },
  };
}

function printClaim(claim: PassedClaim, timeZone: string): Static<typeof passedClaim> {
  const { from, to, source, takenBy } = claim;
  return {
    from: printInstant(from, timeZone),
    to: printInstant(to, timeZone),
    source,
    teamId: teamOf(claim),
    takenBy,
  };
}

function teamOf({ holder }: Pick<PassedClaim, 'holder'>): number | null {
  return holder?.kind === 'team' ? holder.teamId : null;
}

const reachable = Type.Boolean({
  description: 'Whether at least one person could be reached: on duty, relief member, or in a relief group.',
});
const reasons = Type.Array(Type.String(), {
  description: 'What is wrong, in the language of `Accept-Language`.',
  examples: [['user 3 "ana" has no number']],
});
const reasonCodes = Type.Array(
  choice([
    ...nobodyCodes,
    ['unreachable', 'somebody on duty could not be reached; `unreachable` says why'],
    ['relief-instead', 'a relief group is called instead'],
  ]),
  { description: 'The code of each of `reasons`, in their order.', examples: [['unreachable']] },
);
const unreachable = Type.Array(
  Type.Object(
    {
      userId: idOf('user'),
      user: Type.String({ description: 'Their name.', examples: ['dana'] }),
      cause: Type.Enum(unreachableCauses, {
        description:
          '`noNumber`: they have none; `notVerified`: none is valid and verified; `noChannel`: none that they are called on is on a channel that is set up and works; `notAllowed`: none is in a country that the call policy allows (`tolls.allowedPrefixes`), so that only alarms of priority 1 are called; `noPriority`: the ranges of priorities of all of them hold none; `locked`: the number that would be called is locked for a quarter of an hour after three wrong PINs; `notNow`: none may be used at this time.',
      }),
    },
    { title: 'UnreachablePerson', description: 'Somebody on duty who could not be reached.' },
  ),
  { description: 'The people on duty who could not be reached.' },
);
const insteadGroupId = idOrNull('The relief group that is called instead of everybody; null: none.');
const wrong = { reachable, reasons, reasonCodes, unreachable, insteadGroupId };
const unreadySpan = Type.Object(
  { from: instantText('Its begin.'), to: instantText('Its end.'), ...wrong },
  { title: 'UnreadySpan', description: 'A time in which something is wrong.' },
);

const unready = Type.Object(
  {
    ...group,
    ...wrong,
    ahead: Type.Array(unreadySpan, { description: 'The times of the next 14 days in which something is wrong.' }),
  },
  { title: 'UnreadyGroup', description: 'A call group in which something is wrong.' },
);

export const readinessSchema = Type.Object(
  {
    at,
    items: Type.Array(unready, { description: 'The groups in which something is wrong.' }),
    hasMore: Type.Boolean({ description: 'True if there are so many changes of duty that not all were looked at.' }),
  },
  { title: 'Readiness', description: 'Who could not be reached, at a time and in the 14 days after it.' },
);

export function printReadiness(
  group: GroupName,
  readiness: WordedReadiness<Readiness>,
  ahead: readonly WordedReadiness<UnreadySpan>[],
  { timeZone, userNames }: { readonly timeZone: string; readonly userNames: ReadonlyMap<number, string> },
): Static<typeof unready> {
  const { id, name, stationId } = group;
  const print = ({ isReachable, reasons, unreachable, insteadGroupId }: WordedReadiness<Readiness>) => ({
    reachable: isReachable,
    reasons: reasons.map(({ sentence }) => sentence),
    reasonCodes: reasons.map(({ code }) => code),
    unreachable: unreachable.map(({ userId, cause }) => ({ userId, user: userNames.get(userId) ?? '', cause })),
    insteadGroupId: insteadGroupId ?? null,
  });
  const spans = ahead.map((span) => ({
    from: printInstant(span.from, timeZone),
    to: printInstant(span.to, timeZone),
    ...print(span),
  }));
  return { callGroupId: id, name, stationId, ...print(readiness), ahead: spans };
}
