// Engines with a defect, each of which a checker of the random days must find. Those with the effect of a defect that was proved in
// an earlier engine name it. A change of the random days gives every seed another day: the seeds are found anew then, by trying the
// engine of a defect on seed after seed.

import { decide } from '../../../../src/domain/escalation/decide.ts';
import type { Attempt, Escalation } from '../../../../src/domain/escalation/escalation.ts';
import { DecisionTime, type World } from '../../../../src/domain/escalation/world.ts';
import { plantedByChecker } from './by-checker.ts';
import type { Planted } from './planted.ts';

const ofEarlierEngines: readonly Planted[] = [
  {
    name: 'an alarm that was taken is called for all the same',
    checker: 'beginsForOpenAlarms',
    seed: 16,
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
    seed: 20,
    engine: (...input) => ({ ...decide(...input), cancel: [] }),
  },
  {
    name: 'the last resort is never opened',
    checker: 'lastResortIsCalled',
    seed: 16,
    engine: (...input) => ({ ...decide(...input), opened: [] }),
  },
  {
    name: 'a call is a try for its first alarm alone',
    checker: 'numbersRest',
    seed: 24,
    engine: (...input) => {
      const decision = decide(...input);
      return { ...decision, begin: decision.begin.map((one) => ({ ...one, tries: one.tries.slice(0, 1) })) };
    },
  },
  {
    name: 'notices are not sent',
    checker: 'noticesComeAtAll',
    seed: 6,
    engine: (...input) => {
      const decision = decide(...input);
      return { ...decision, begin: decision.begin.filter(({ kind }) => kind !== 'notice') };
    },
  },
  {
    name: 'answers are not heard',
    checker: 'answeredIsOver',
    seed: 20,
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
    seed: 16,
    engine: (world, ...rest) => {
      const people = new Map([...world.snapshot.people].map(([id, person]) => [id, { ...person, onDuty: true }]));
      return decide({ ...world, snapshot: { ...world.snapshot, people } }, ...rest);
    },
  },
  {
    name: 'lines are not counted',
    checker: 'rest',
    seed: 20,
    engine: (world, ...rest) => {
      const { providers } = world.providers;
      const unlimited = providers.map((provider) => ({ ...provider, lines: undefined }));
      return decide({ ...world, providers: { ...world.providers, providers: unlimited } }, ...rest);
    },
  },
  {
    name: 'nothing says when to look again',
    checker: 'rest',
    seed: 20,
    engine: (...input) => ({ ...decide(...input), lookAgainAt: undefined }),
  },
  {
    name: 'pauses never end',
    checker: 'roundsGoOn',
    seed: 56,
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
    seed: 24,
    engine: (world, causes, escalations, attempts, time) => {
      const offset = time.civil - time.engine;
      return decide(world, causes, escalations, attempts, new DecisionTime(time.engine, offset));
    },
  },
  {
    name: 'E1: a look that changes nothing is written again and again',
    checker: 'rest',
    seed: 16,
    engine: (world, causes, escalations, ...rest) => {
      const decision = decide(world, causes, escalations, ...rest);
      const held = escalations.filter(({ pausedUntil }) => pausedUntil !== undefined).slice(0, 1);
      return decision.changed.length > 0 ? decision : { ...decision, changed: held };
    },
  },
  {
    name: 'E1: the last resort of a taken alarm goes on',
    checker: 'beginsForOpenAlarms',
    seed: 24,
    engine: (world, causes, escalations, ...rest) => {
      const last = new Set(escalations.flatMap((one) => (one.target.kind === 'last-resort' ? one.causeId : [])));
      const open = causes.map((cause) => (last.has(cause.id) ? { ...cause, ended: undefined } : cause));
      return decide(world, open, escalations, ...rest);
    },
  },
  {
    name: 'E2: a further alarm of a group without duty calls nobody',
    checker: 'nobodyIsSeen',
    seed: 16,
    engine: (world, causes, escalations, ...rest) => {
      const decision = decide(world, causes, escalations, ...rest);
      const isKnown = escalations.some(({ target, state }) => target.kind === 'last-resort' && state === 'open');
      return { ...decision, opened: isKnown ? [] : decision.opened.slice(0, 1) };
    },
  },
  {
    name: 'E4: an alarm that is made more urgent goes on as it was',
    checker: 'moreUrgentBeginsARound',
    seed: 90,
    engine: (world, causes, escalations, ...rest) => {
      const acted = new Map(escalations.map(({ causeId, actedPriority }) => [causeId, actedPriority ?? 0]));
      const kept = causes.map((one) => ({ ...one, priority: Math.max(one.priority, acted.get(one.id) ?? 0) }));
      return decide(world, kept, escalations, ...rest);
    },
  },
  {
    name: 'E5: a call that waits for somebody ignores a relief group that is added later',
    checker: 'entersALevel',
    seed: 420,
    engine: (world, causes, escalations, ...rest) => {
      const waiting = new Set(
        escalations.flatMap(({ target, trouble }) => (trouble?.kind === 'nobody-on-call' ? target.id : [])),
      );
      const groups = [...world.snapshot.groups].map(
        ([id, group]) => [id, waiting.has(id) ? { ...group, reliefGroupId: undefined } : group] as const,
      );
      return decide(
        { ...world, snapshot: { ...world.snapshot, groups: new Map(groups) } },
        causes,
        escalations,
        ...rest,
      );
    },
  },
  {
    name: 'E6: the list of numbers goes only forward',
    checker: 'callsWhoWants',
    seed: 16,
    engine: (world, causes, escalations, attempts, time) =>
      decide(withNumbersFrom(world, attempts), causes, escalations, attempts, time),
  },
  {
    name: 'E9: texts for an alarm that was taken are sent all the same',
    checker: 'beginsForOpenAlarms',
    seed: 20,
    // Its row is never done, so that what was gathered when it was taken is sent.
    engine: (world, causes, escalations, attempts, time) => {
      const open = causes.map((cause) => (cause.asks ? { ...cause, ended: undefined } : cause));
      const taken = new Set(causes.flatMap(({ id, asks, ended }) => (asks && ended !== undefined ? id : [])));
      const notices = new Set(attempts.flatMap(({ id, kind }) => (kind === 'notice' ? id : [])));
      const decision = decide(world, causes, escalations, attempts, time);
      const late = decide(world, open, escalations, attempts, time);
      return {
        ...decision,
        changed: decision.changed.filter(({ causeId }) => !taken.has(causeId)),
        begin: [...decision.begin, ...late.begin].filter((one) => (one.kind === 'notice') === late.begin.includes(one)),
        cancel: decision.cancel.filter(({ attemptId }) => !notices.has(attemptId)),
        lookAgainAt: late.lookAgainAt,
      };
    },
  },
  {
    name: 'E12: the recovery of any provider ends every pause',
    checker: 'roundsBeginForAReason',
    seed: 16,
    engine: (world, causes, escalations, ...rest) => {
      const last = Math.max(0, ...world.recoveries.values());
      return decide(world, causes, escalations.map(pausedUpTo(last)), ...rest);
    },
  },
  {
    name: 'E13: one full provider blocks its whole channel',
    checker: 'callsWhoWants',
    seed: 80,
    engine: (world, ...rest) => decide({ ...world, providers: withFullChannels(world.providers) }, ...rest),
  },
  {
    name: 'H1: a call that rings counts as a try for an alarm that joins it',
    checker: 'callsWhoWants',
    seed: 1,
    engine: (world, causes, escalations, attempts, time) =>
      decide(world, causes, escalations, attempts.map(asTryForAll(escalations)), time),
  },
  {
    name: 'M5: a number whose provider failed is tried again at once, for ever',
    checker: 'failuresRest',
    seed: 16,
    engine: (world, causes, escalations, attempts, time) => {
      const failed = attempts.map((one) => (isOfProvider(one) ? asCancelled(one) : one));
      return decide(world, causes, escalations, failed, time);
    },
  },
  {
    name: 'M7: who went off duty is still called',
    checker: 'callsWhoIsThere',
    seed: 16,
    engine: (world, causes, escalations, attempts, time) => {
      const called = new Set(attempts.map(({ userId }) => userId));
      const people = [...world.snapshot.people].map(
        ([id, one]) => [id, called.has(id) ? { ...one, onDuty: true } : one] as const,
      );
      const snapshot = { ...world.snapshot, people: new Map(people) };
      return decide({ ...world, snapshot }, causes, escalations, attempts, time);
    },
  },
  {
    name: 'a clock that is set forward ends the rests of numbers',
    checker: 'numbersRest',
    seed: 47,
    engine: (world, causes, escalations, attempts, time) =>
      decide(world, causes, escalations, attempts.map(endedByClock(world, time)), time),
  },
  {
    name: 'toll limits are not looked at',
    checker: 'tollsHold',
    seed: 34,
    engine: (world, ...rest) => decide({ ...world, tolls: undefined }, ...rest),
  },
  {
    name: 'a locked duty is called',
    checker: 'callsWhoIsThere',
    seed: 4,
    engine: (world, ...rest) => {
      const schedules = [...world.snapshot.schedules].map(
        ([id, one]) => [id, { ...one, overrides: one.overrides.filter(({ lock }) => !lock) }] as const,
      );
      return decide({ ...world, snapshot: { ...world.snapshot, schedules: new Map(schedules) } }, ...rest);
    },
  },
  {
    name: 'a level that was called by hand is forgotten',
    checker: 'escalatesByHand',
    seed: 4,
    engine: (world, causes, escalations, attempts, time) => {
      const forgotten = escalations.flatMap((one) => {
        const entered = one.entered.filter(({ reason }) => reason.code !== 'escalated');
        return entered.length < one.entered.length ? [{ ...one, entered }] : [];
      });
      const decision = decide(world, causes, escalations, attempts, time);
      return { ...decision, changed: [...forgotten, ...decision.changed] };
    },
  },
  {
    name: 'messages to numbers are done before they are sent',
    checker: 'messagesToNumbersAreSent',
    seed: 16,
    engine: (...input) => {
      const decision = decide(...input);
      const ofNumbers = new Set(input[2].flatMap(({ id, target }) => (target.kind === 'number' ? id : [])));
      const begin = decision.begin.filter(({ tries }) => tries.every((one) => !ofNumbers.has(one.escalationId)));
      return { ...decision, begin };
    },
  },
  {
    name: 'the policy of the morning counts all day',
    checker: 'capHolds',
    seed: 24,
    engine: (world, ...rest) => {
      policyAtFirst.set(world.providers.providers, policyAtFirst.get(world.providers.providers) ?? world.policy);
      return decide({ ...world, policy: policyAtFirst.get(world.providers.providers) ?? world.policy }, ...rest);
    },
  },
];

export const planted: readonly Planted[] = [...ofEarlierEngines, ...plantedByChecker];

/** By the providers of a day, which stay the same. */
const clockAtEnd = new WeakMap<World['providers']['providers'], Map<number, number>>();
const policyAtFirst = new WeakMap<World['providers']['providers'], World['policy']>();

/** Without the numbers before the one that was used last. */
function withNumbersFrom(world: World, attempts: readonly Attempt[]): World {
  const last = new Map(attempts.flatMap((one) => (one.kind === 'call' ? [[one.userId, one.numberId] as const] : [])));
  const people = [...world.snapshot.people].map(([id, person]) => {
    const place = person.numbers.findIndex((number) => number.id === last.get(id));
    return [id, { ...person, numbers: person.numbers.slice(Math.max(0, place)) }] as const;
  });
  return { ...world, snapshot: { ...world.snapshot, people: new Map(people) } };
}

function pausedUpTo(last: number): (escalation: Escalation) => Escalation {
  return (one) =>
    one.pausedUntil === undefined || last < one.roundSince
      ? one
      : { ...one, pausedUntil: Math.min(one.pausedUntil, last) };
}

function withFullChannels({ providers, uses, ...others }: World['providers']): World['providers'] {
  const full = new Set(
    providers.flatMap(({ id, channel, lines }) =>
      (uses.get(id)?.inUse ?? 0) >= (lines ?? Number.POSITIVE_INFINITY) ? channel : [],
    ),
  );
  return { ...others, uses, providers: providers.map((one) => (full.has(one.channel) ? { ...one, lines: 0 } : one)) };
}

/** As if the attempt had been begun for every alarm of its levels that was open before it ended. */
function asTryForAll(escalations: readonly Escalation[]): (attempt: Attempt) => Attempt {
  return (attempt) => {
    const levels = new Set(attempt.tries.map(({ level }) => level));
    const joined = escalations.flatMap(({ id, causeId, entered, roundSince }) =>
      entered.flatMap(({ key, at }) => {
        const isDuring = at > attempt.begunAt && (attempt.end === undefined || at < attempt.end.at);
        return levels.has(key) && isDuring ? [{ escalationId: id, causeId, level: key, roundSince }] : [];
      }),
    );
    if (joined.length === 0) return attempt;
    const begunAt = Math.max(attempt.begunAt, ...joined.map(({ roundSince }) => roundSince));
    return { ...attempt, begunAt, tries: [...attempt.tries, ...joined] };
  };
}

/** As if ends were stored by the clock: one that is set forward makes what ended before older. */
function endedByClock({ providers: { providers } }: World, time: DecisionTime): (attempt: Attempt) => Attempt {
  const offset = time.civil - time.engine;
  const known = clockAtEnd.get(providers) ?? new Map<number, number>();
  clockAtEnd.set(providers, known);
  return (attempt) => {
    const { id, end } = attempt;
    if (end === undefined) return attempt;
    const then = known.get(id) ?? offset;
    known.set(id, then);
    return { ...attempt, end: { ...end, at: end.at - Math.max(0, offset - then) } };
  };
}

function isOfProvider({ end }: Attempt): boolean {
  return end?.outcome === 'failed' && !end.counts;
}

function asCancelled(attempt: Attempt): Attempt {
  return { ...attempt, end: attempt.end && { ...attempt.end, outcome: 'cancelled' } };
}
