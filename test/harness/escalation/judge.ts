// All checkers of the random days, by name. They share no function with the engine.

import {
  answeredIsOver,
  beginsForOpenAlarms,
  callsWhoIsThere,
  capHolds,
  cutsNothingThatIsNeeded,
  oneCallAtATime,
  stopsWhatNobodyNeeds,
  tollsHold,
  triesAreCounted,
} from './checkers/attempts.ts';
import {
  entersALevel,
  entersInOrder,
  goesUpInTime,
  lastResortIsCalled,
  leavesNobodyBehind,
} from './checkers/levels.ts';
import { messagesToNumbersAreSent, noticesComeAtAll, noticesComeOnce } from './checkers/notices.ts';
import { callsWhoWants, urgentAtOnce } from './checkers/people.ts';
import { exemptionsAreRare, failuresRest, numbersRest, stormsStayFewCalls } from './checkers/rests.ts';
import { moreUrgentBeginsARound, roundsBeginForAReason, roundsGoOn } from './checkers/rounds.ts';
import { escalatesByHand, inVainAtTheEnd, locksCallNobody, nobodyIsSeen } from './checkers/seen.ts';
import type { Trace } from './trace.ts';
import { View } from './view.ts';

type Checker = (view: View) => readonly string[];

export const checkers: Readonly<Record<string, Checker>> = {
  answeredIsOver,
  beginsForOpenAlarms,
  callsWhoIsThere,
  callsWhoWants,
  capHolds,
  cutsNothingThatIsNeeded,
  entersALevel,
  entersInOrder,
  escalatesByHand,
  exemptionsAreRare,
  failuresRest,
  goesUpInTime,
  inVainAtTheEnd,
  lastResortIsCalled,
  leavesNobodyBehind,
  locksCallNobody,
  messagesToNumbersAreSent,
  moreUrgentBeginsARound,
  nobodyIsSeen,
  noticesComeAtAll,
  noticesComeOnce,
  numbersRest,
  oneCallAtATime,
  roundsBeginForAReason,
  roundsGoOn,
  stopsWhatNobodyNeeds,
  tollsHold,
  triesAreCounted,
  urgentAtOnce,
};

/** Returns the violations of a day, each with the name of its checker; `isStorm`: nobody answers. */
export function judge(trace: Trace, isStorm: boolean): readonly string[] {
  const view = new View(trace);
  const found = Object.entries(checkers).flatMap(([name, check]) => check(view).map((one) => `${name}: ${one}`));
  const storm = isStorm ? stormsStayFewCalls(view).map((one) => `stormsStayFewCalls: ${one}`) : [];
  return [...trace.flaws.map((flaw) => `rest: ${flaw}`), ...found, ...storm];
}
