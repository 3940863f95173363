// Duty and readiness as a caller reads them: sentences in their language, without what they may not see. Pure.

import type { Language } from '../../language.ts';
import type { PeopleSnapshot } from '../../people/call-group.ts';
import { namesIn } from '../../people/references.ts';
import { foreignId, type Visibility } from '../../people/visibility.ts';
import type {
  DutyReason,
  NobodyReason,
  PassedOver,
  PassedOverReason,
  UnreadyReason,
  ViaReason,
} from '../duty-reason.ts';
import type { Members } from '../on-duty.ts';
import type { Readiness } from '../readiness.ts';
import { dutyWords } from './catalogue.ts';
import { sayDuty } from './words.ts';

/** A reason with its sentence. */
export type Worded<Reason extends DutyReason> = { readonly code: Reason['code']; readonly sentence: string };

/** Words reasons for one reader. */
export type SayDuty = <Reason extends DutyReason>(reason: Reason) => Worded<Reason>;

export function dutyIn(language: Language, snapshot: PeopleSnapshot, visibility: Visibility): SayDuty {
  const names = namesIn(language, snapshot, visibility);
  return (reason) => ({ code: reason.code, sentence: sayDuty(reason, dutyWords[language], names) });
}

type WordedMember = Omit<Members['members'][number], 'via'> & { readonly via: Worded<ViaReason> };
type WordedPassedOver = Omit<PassedOver, 'reason'> & { readonly reason: Worded<PassedOverReason> };

export type WordedDuty<Duty extends Members> = Omit<Duty, 'members' | 'passedOver' | 'nobody'> & {
  readonly members: readonly WordedMember[];
  readonly passedOver: readonly WordedPassedOver[];
  readonly nobody: Worded<NobodyReason> | undefined;
};

/** Other people are shown without their ids. */
export function wordedDuty<Duty extends Members>(duty: Duty, visibility: Visibility, say: SayDuty): WordedDuty<Duty> {
  const { members, passedOver, nobody } = duty;
  const shownId = (userId: number): number => (visibility.seesPerson(userId) ? userId : foreignId);
  return {
    ...duty,
    members: members.map((member) => ({ ...member, userId: shownId(member.userId), via: say(member.via) })),
    passedOver: passedOver.map(({ userId, teamId, reason }) => ({
      userId: userId === undefined ? undefined : shownId(userId),
      teamId,
      reason: say(reason),
    })),
    nobody: nobody && say(nobody),
  };
}

export type WordedReadiness<R extends Readiness> = Omit<R, 'reasons'> & {
  readonly reasons: readonly Worded<UnreadyReason>[];
};

/** Other people and groups are shown without their ids. */
export function wordedReadiness<R extends Readiness>(
  readiness: R,
  visibility: Visibility,
  say: SayDuty,
): WordedReadiness<R> {
  const { reasons, unreachable, insteadGroupId } = readiness;
  return {
    ...readiness,
    reasons: reasons.map(say),
    unreachable: unreachable.map((one) => ({
      ...one,
      userId: visibility.seesPerson(one.userId) ? one.userId : foreignId,
    })),
    insteadGroupId: insteadGroupId === undefined || visibility.seesGroup(insteadGroupId) ? insteadGroupId : foreignId,
  };
}
