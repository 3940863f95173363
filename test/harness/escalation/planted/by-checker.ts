// Engines with a defect for each of the checkers that no defect of an earlier engine turns red.

import { decide } from '../../../../src/domain/escalation/decide.ts';
import { type Attempt, urgent } from '../../../../src/domain/escalation/escalation.ts';
import type { World } from '../../../../src/domain/escalation/world.ts';
import type { CallGroup } from '../../../../src/domain/people/call-group.ts';
import type { Person, Team } from '../../../../src/domain/people/person.ts';
import type { Planted } from './planted.ts';

const second = 1_000;
const minute = 60 * second;

export const plantedByChecker: readonly Planted[] = [
  {
    name: 'a level has a second to take an alarm',
    checker: 'leavesNobodyBehind',
    seed: 34,
    engine: (world, ...rest) => decide(withTimeToTake(world, 1), ...rest),
  },
  {
    name: 'a level has all the time to take an alarm',
    checker: 'goesUpInTime',
    seed: 4,
    engine: (world, ...rest) => decide(withTimeToTake(world, 0), ...rest),
  },
  {
    name: 'calls are said to be in vain when the pause begins, whoever is owed one',
    checker: 'inVainAtTheEnd',
    seed: 19,
    engine: (...input) => {
      const decision = decide(...input);
      const changed = decision.changed.map((one) => {
        if (one.pausedUntil === undefined || one.trouble !== undefined) return one;
        const reason = { code: 'called-in-vain', round: one.round } as const;
        return { ...one, trouble: { kind: 'in-vain', groupId: undefined, round: one.round, reason } as const };
      });
      return { ...decision, changed };
    },
  },
  {
    name: 'relief members are left out',
    checker: 'entersInOrder',
    seed: 34,
    engine: (world, ...rest) =>
      decide(
        withTeams(world, ({ members }) => ({ members: members.filter(({ relief }) => !relief) })),
        ...rest,
      ),
  },
  {
    name: 'a locked duty is one that nobody has',
    checker: 'locksCallNobody',
    seed: 4,
    engine: (world, ...rest) => {
      const schedules = [...world.snapshot.schedules].map(([id, one]) => {
        const overrides = one.overrides.map((it) => (it.lock ? { ...it, lock: false, teamId: 0 } : it));
        return [id, { ...one, overrides }] as const;
      });
      return decide({ ...world, snapshot: { ...world.snapshot, schedules: new Map(schedules) } }, ...rest);
    },
  },
  {
    name: 'a call that has lasted five seconds occupies nobody',
    checker: 'oneCallAtATime',
    seed: 16,
    engine: (world, causes, escalations, attempts, time) => {
      const isSeen = ({ end, begunAt }: Attempt): boolean => end !== undefined || begunAt + 5 * second > time.engine;
      return decide(world, causes, escalations, attempts.filter(isSeen), time);
    },
  },
  {
    name: 'what rings is cut after five seconds',
    checker: 'cutsNothingThatIsNeeded',
    seed: 16,
    engine: (world, causes, escalations, attempts, time) => {
      const decision = decide(world, causes, escalations, attempts, time);
      const known = new Set(decision.cancel.map(({ attemptId }) => attemptId));
      const long = attempts.filter(({ id, end, begunAt }) => {
        return end === undefined && !known.has(id) && begunAt + 5 * second <= time.engine;
      });
      const cut = long.map(({ id }) => ({ attemptId: id, reason: { code: 'sent' } as const }));
      return { ...decision, cancel: [...decision.cancel, ...cut] };
    },
  },
  {
    name: 'a number is tried twice as often as it says',
    checker: 'triesAreCounted',
    seed: 16,
    engine: (world, ...rest) =>
      decide(
        withPeople(world, ({ numbers }) => ({
          numbers: numbers.map((one) => ({ ...one, countTry: 2 * one.countTry })),
        })),
        ...rest,
      ),
  },
  {
    name: 'notices are not gathered',
    checker: 'noticesComeOnce',
    seed: 34,
    engine: (world, causes, escalations, attempts, time) =>
      decide(
        world,
        causes,
        escalations,
        attempts.map((one) => (one.kind === 'notice' ? { ...one, begunAt: one.begunAt - minute } : one)),
        time,
      ),
  },
  {
    name: 'every call for an alarm of priority 1 is exempt from the rest',
    checker: 'exemptionsAreRare',
    seed: 16,
    engine: (...input) => {
      const decision = decide(...input);
      return { ...decision, begin: decision.begin.map((one) => ({ ...one, isExempt: one.isUrgent })) };
    },
  },
  {
    name: 'an alarm of priority 1 is called like one of priority 2',
    checker: 'urgentAtOnce',
    seed: 24,
    engine: (world, causes, ...rest) =>
      decide(
        world,
        causes.map((cause) => ({ ...cause, priority: Math.max(cause.priority, urgent + 1) })),
        ...rest,
      ),
  },
  {
    name: 'each alarm of a storm has a call of its own, and no number rests',
    checker: 'stormsStayFewCalls',
    seed: 25,
    isSlow: true,
    engine: (world, causes, escalations, attempts, time) => {
      const rested = attempts.map(({ end, ...one }) => ({ ...one, end: end && { ...end, at: end.at - 2 * minute } }));
      const decision = decide(world, causes, escalations, rested, time);
      return { ...decision, begin: decision.begin.map((one) => ({ ...one, tries: one.tries.slice(0, 1) })) };
    },
  },
];

function withPeople(world: World, change: (person: Person) => Partial<Person>): World {
  const people = [...world.snapshot.people].map(([id, one]) => [id, { ...one, ...change(one) }] as const);
  return { ...world, snapshot: { ...world.snapshot, people: new Map(people) } };
}

function withTeams(world: World, change: (team: Team) => Partial<Team>): World {
  const teams = [...world.snapshot.teams].map(([id, one]) => [id, { ...one, ...change(one) }] as const);
  return { ...world, snapshot: { ...world.snapshot, teams: new Map(teams) } };
}

function withTimeToTake({ snapshot, policy, ...world }: World, timeToTakeSeconds: number): World {
  const withTime = (group: CallGroup): CallGroup => ({ ...group, timeToTakeSeconds });
  const groups = [...snapshot.groups].map(([id, group]) => [id, withTime(group)] as const);
  const priorities = policy.priorities.map((rules) => ({ ...rules, timeToTakeSeconds }));
  return { ...world, snapshot: { ...snapshot, groups: new Map(groups) }, policy: { ...policy, priorities } };
}
