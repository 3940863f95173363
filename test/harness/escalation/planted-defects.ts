// Engines with a defect, each of which a checker of the random days must find.

import { decide } from '../../../src/domain/escalation/decide.ts';
import { DecisionTime } from '../../../src/domain/escalation/world.ts';
import type { Decide } from './shell.ts';

export type Planted = {
  readonly name: string;
  /** The checker that finds it, and a day on which it does. */
  readonly checker: string;
  readonly seed: number;
  readonly engine: Decide;
};

export const planted: readonly Planted[] = [
  {
    name: 'an alarm that was taken is called for all the same',
    checker: 'beginsForOpenAlarms',
    seed: 1,
    engine: (world, causes, ...rest) =>
      decide(
        world,
        causes.map((cause) => ({ ...cause, ended: undefined })),
        ...rest,
      ),
  },
  {
    name: 'no phone is stopped',
    checker: 'stopsWhatNobodyNeeds',
    seed: 1,
    engine: (...input) => ({ ...decide(...input), cancel: [] }),
  },
  {
    name: 'the last resort is never opened',
    checker: 'lastResortIsCalled',
    seed: 1,
    engine: (...input) => ({ ...decide(...input), opened: [] }),
  },
  {
    name: 'a call is a try for its first alarm alone',
    checker: 'numbersRest',
    seed: 1,
    engine: (...input) => {
      const decision = decide(...input);
      return { ...decision, begin: decision.begin.map((one) => ({ ...one, tries: one.tries.slice(0, 1) })) };
    },
  },
  {
    name: 'notices are not sent',
    checker: 'noticesComeAtAll',
    seed: 1,
    engine: (...input) => {
      const decision = decide(...input);
      return { ...decision, begin: decision.begin.filter(({ kind }) => kind !== 'notice') };
    },
  },
  {
    name: 'answers are not heard',
    checker: 'answeredIsOver',
    seed: 1,
    engine: (world, causes, escalations, attempts, time) =>
      decide(
        world,
        causes,
        escalations,
        attempts.map((attempt) => ({ ...attempt, answers: [] })),
        time,
      ),
  },
  {
    name: 'the cap is not looked at',
    checker: 'capHolds',
    seed: 24,
    engine: (world, ...rest) => decide({ ...world, policy: { ...world.policy, cap: undefined } }, ...rest),
  },
  {
    name: 'people who are off duty are called',
    checker: 'callsWhoIsThere',
    seed: 1,
    engine: (world, ...rest) => {
      const people = new Map([...world.snapshot.people].map(([id, person]) => [id, { ...person, onDuty: true }]));
      return decide({ ...world, snapshot: { ...world.snapshot, people } }, ...rest);
    },
  },
  {
    name: 'lines are not counted',
    checker: 'rest',
    seed: 6,
    engine: (world, ...rest) => {
      const { providers } = world.providers;
      const unlimited = providers.map((provider) => ({ ...provider, lines: undefined }));
      return decide({ ...world, providers: { ...world.providers, providers: unlimited } }, ...rest);
    },
  },
  {
    name: 'nothing says when to look again',
    checker: 'rest',
    seed: 1,
    engine: (...input) => ({ ...decide(...input), lookAgainAt: undefined }),
  },
  {
    name: 'pauses never end',
    checker: 'roundsGoOn',
    seed: 1,
    engine: (world, causes, escalations, attempts, time) => {
      const late = time.engine + 86_400_000;
      const decision = decide(world, causes, escalations, attempts, time);
      const changed = decision.changed.map((one) =>
        one.pausedUntil === undefined ? one : { ...one, pausedUntil: late },
      );
      return { ...decision, changed };
    },
  },
  {
    name: 'time stands still for hours and duties',
    checker: 'callsWhoIsThere',
    seed: 1,
    engine: (world, causes, escalations, attempts, time) => {
      const offset = time.civil - time.engine;
      return decide(world, causes, escalations, attempts, new DecisionTime(time.engine, offset));
    },
  },
];
