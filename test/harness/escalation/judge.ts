// All checkers of the random days, by name. They share no function with the engine.

import {
  answeredIsOver,
  beginsForOpenAlarms,
  callsWhoIsThere,
  capHolds,
  cutsNothingThatIsNeeded,
  oneCallAtATime,
  stopsWhatNobodyNeeds,
  triesAreCounted,
} from './checkers/attempts.ts';
import {
  entersALevel,
  entersInOrder,
  goesUpInTime,
  lastResortIsCalled,
  leavesNobodyBehind,
} from './checkers/levels.ts';
import { noticesComeAtAll, noticesComeOnce } from './checkers/notices.ts';
import { callsWhoWants, urgentAtOnce } from './checkers/people.ts';
import { exemptionsAreRare, numbersRest, stormsStayFewCalls } from './checkers/rests.ts';
import { roundsBeginForAReason, roundsGoOn } from './checkers/rounds.ts';
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
  exemptionsAreRare,
  goesUpInTime,
  lastResortIsCalled,
  leavesNobodyBehind,
  noticesComeAtAll,
  noticesComeOnce,
  numbersRest,
  oneCallAtATime,
  roundsBeginForAReason,
  roundsGoOn,
  stopsWhatNobodyNeeds,
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
