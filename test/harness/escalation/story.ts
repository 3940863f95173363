// Tells a story to the engine: people and groups by name, alarms that are raised and taken, phones that ring until the story says
// what becomes of them. Every look of the engine is kept; a wake is never needed.

import { type CallPolicy, defaultPolicy } from '../../../src/domain/calls/call.ts';
import { unusedProvider } from '../../../src/domain/channels/choose-provider.ts';
import type { Provider } from '../../../src/domain/channels/provider.ts';
import { applyDecision, newEscalation, type Stored } from '../../../src/domain/escalation/apply.ts';
import { decide } from '../../../src/domain/escalation/decide.ts';
import type { Decision } from '../../../src/domain/escalation/decision.ts';
import type { Answer, Attempt, AttemptEnd, Cause, Escalation } from '../../../src/domain/escalation/escalation.ts';
import { DecisionTime, type World } from '../../../src/domain/escalation/world.ts';
import type { CallGroup } from '../../../src/domain/people/call-group.ts';
import type { ContactNumber, Person } from '../../../src/domain/people/person.ts';

type Number_ = Partial<Omit<ContactNumber, 'id'>>;
type Group = Partial<Omit<CallGroup, 'id' | 'teamIds'>> & {
  readonly members?: readonly string[];
  readonly reliefMembers?: readonly string[];
  readonly relief?: string;
};

export type Told = {
  /** Numbers by name of person; the first are tried first. */
  readonly people: Readonly<Record<string, readonly Number_[]>>;
  readonly groups: Readonly<Record<string, Group>>;
  readonly administrators?: readonly string[];
  readonly policy?: Partial<CallPolicy>;
  readonly providers?: readonly Partial<Provider>[];
};

const voice: Omit<ContactNumber, 'id'> = {
  channel: 'voice',
  address: '',
  valid: true,
  verified: true,
  final: true,
  countTry: 1,
  timeToRetrySeconds: 60,
  countAck: 1,
  timeToAckSeconds: 120,
  acksWhenReached: false,
  scheduleId: undefined,
  priorities: undefined,
};

const trunk: Provider = {
  id: 1,
  name: 'trunk',
  channel: 'voice',
  kind: 'sip',
  order: 1,
  isEnabled: true,
  lines: undefined,
  perSecond: undefined,
  perDay: undefined,
  cost: 0,
  countries: [],
  node: undefined,
  settings: {},
};

export class Story {
  now = 0;
  world: World;
  readonly #names: readonly string[];
  readonly #groupNames: readonly string[];
  #causes: readonly Cause[] = [];
  #stored: Stored = { escalations: [], attempts: [], turns: new Map() };
  #lastId = 0;
  #lookAt: number | undefined;
  readonly #began: string[] = [];

  constructor({ people, groups, administrators = [], policy = {}, providers = [{}] }: Told) {
    this.#names = Object.keys(people);
    this.#groupNames = Object.keys(groups);
    const persons = Object.entries(people).map(([name, numbers]) =>
      this.#person(name, numbers, administrators.includes(name)),
    );
    const teams = Object.values(groups).map(({ members = [], reliefMembers = [] }, index) => ({
      id: index + 1,
      name: `team ${index + 1}`,
      colour: '',
      members: [
        ...members.map((name) => ({ userId: this.#userId(name), relief: false })),
        ...reliefMembers.map((name) => ({ userId: this.#userId(name), relief: true })),
      ],
    }));
    this.world = {
      snapshot: {
        people: new Map(persons.map((person) => [person.id, person])),
        teams: new Map(teams.map((team) => [team.id, team])),
        groups: new Map(Object.entries(groups).map(([name, group]) => [this.#groupId(name), this.#group(name, group)])),
        schedules: new Map(),
      },
      policy: { ...defaultPolicy, cap: undefined, ...policy },
      locks: new Map(),
      turns: new Map(),
      providers: {
        providers: providers.map((provider, index) => ({ ...trunk, id: index + 1, ...provider })),
        uses: new Map(),
        hasSimulator: false,
        goneNodes: new Set(),
      },
      recoveries: new Map(),
      tolls: undefined,
    };
  }

  #person(name: string, numbers: readonly Number_[], isAdministrator: boolean): Person {
    const id = this.#userId(name);
    return {
      id,
      name,
      firstName: '',
      lastName: '',
      displayName: '',
      language: 'en',
      timeZone: 'UTC',
      onDuty: true,
      replacedById: undefined,
      isAdministrator,
      stationIds: [],
      numbers: numbers.map((number, index) => ({
        ...voice,
        address: `+4930${id}00${index}`,
        ...number,
        id: id * 10 + index,
      })),
    };
  }

  #group(name: string, { relief, members: _, reliefMembers: __, ...group }: Group): CallGroup {
    const id = this.#groupId(name);
    return {
      name,
      names: {},
      stationId: 1,
      timeZone: 'UTC',
      callMode: 'all',
      reliefMode: 'nobodyReached',
      timeToTakeSeconds: undefined,
      discardWhenNobodyOnCall: false,
      scheduleId: undefined,
      ...group,
      id,
      teamIds: [id],
      reliefGroupId: relief === undefined ? undefined : this.#groupId(relief),
    };
  }

  #userId(name: string): number {
    return this.#names.indexOf(name) + 1;
  }

  #groupId(name: string): number {
    return this.#groupNames.indexOf(name) + 1;
  }

  /** Raises an alarm that calls the group. */
  raise(id: number, group: string, { priority = 3, asks = true } = {}): void {
    this.#causes = [...this.#causes, { id, priority, asks, ended: undefined }];
    const escalation = {
      ...newEscalation(++this.#lastId, id, { kind: 'group', id: this.#groupId(group) }),
      dueAt: this.now,
    };
    this.#stored = { ...this.#stored, escalations: [...this.#stored.escalations, escalation] };
    this.decide();
  }

  /** The alarm calls a further group, after a delay. */
  alsoCalls(id: number, group: string, delaySeconds: number): void {
    const escalation = {
      ...newEscalation(++this.#lastId, id, { kind: 'group', id: this.#groupId(group) }),
      dueAt: this.now + delaySeconds * 1000,
    };
    this.#stored = { ...this.#stored, escalations: [...this.#stored.escalations, escalation] };
    this.decide();
  }

  /** Another priority, or the end of the alarm. */
  change(id: number, change: Partial<Cause>): void {
    this.#causes = this.#causes.map((cause) => (cause.id === id ? { ...cause, ...change } : cause));
    this.decide();
  }

  take(id: number): void {
    this.change(id, { ended: { code: 'taken', by: 'user:1' } });
  }

  alter(change: (world: World) => World): void {
    this.world = change(this.world);
    this.decide();
  }

  /** Changes a person or, with undefined, removes them. */
  alterPerson(name: string, change: Partial<Person> | undefined): void {
    const { snapshot } = this.world;
    const people = new Map(snapshot.people);
    const person = people.get(this.#userId(name));
    if (change === undefined) people.delete(this.#userId(name));
    else if (person !== undefined) people.set(person.id, { ...person, ...change });
    this.alter((world) => ({ ...world, snapshot: { ...snapshot, people } }));
  }

  /** Decides until nothing is left to do; returns how many rows were written. */
  decide(): number {
    for (let written = 0; ; ) {
      const time = new DecisionTime(this.now, this.now);
      const { escalations, attempts, turns } = this.#stored;
      const decision = decide(
        { ...this.world, turns, providers: this.#providersInUse() },
        this.#causes,
        escalations,
        attempts,
        time,
      );
      for (const one of decision.begin) {
        const causes = [...new Set(one.tries.map(({ causeId }) => causeId))].join(' ');
        this.#began.push(`${this.#nameOf(one)} for ${causes}: ${one.reason.code}`);
      }
      this.#stored = applyDecision(this.#stored, decision, this.now, () => ++this.#lastId);
      this.#lookAt = decision.lookAgainAt;
      const rows = countRows(decision);
      if (rows === 0) return written;
      written += rows;
    }
  }

  #providersInUse(): World['providers'] {
    const { providers } = this.world;
    const live = this.#stored.attempts.filter(({ end }) => end === undefined);
    const uses = new Map(
      providers.providers.map(({ id }) => {
        const use = providers.uses.get(id) ?? unusedProvider;
        const inUse = use.inUse + live.filter(({ providerId }) => providerId === id).length;
        return [id, { ...use, inUse }];
      }),
    );
    return { ...providers, uses };
  }

  #nameOf({ userId, numberId, channel, kind }: Pick<Attempt, 'userId' | 'numberId' | 'channel' | 'kind'>): string {
    const name = this.#names[userId - 1];
    const place = numberId % 10 === 0 ? '' : ` ${(numberId % 10) + 1}`;
    return `${name}${place}${kind === 'call' ? '' : ` (${kind})`}${channel === 'voice' ? '' : ` by ${channel}`}`;
  }

  /** The attempts that began since this was read. */
  get began(): readonly string[] {
    return this.#began.splice(0);
  }

  get live(): readonly string[] {
    return this.#stored.attempts.filter(({ end }) => end === undefined).map((attempt) => this.#nameOf(attempt));
  }

  /** Lets time pass; phones that ring go on ringing. */
  pass(seconds: number): void {
    const until = this.now + seconds * 1000;
    while (this.#lookAt !== undefined && this.#lookAt <= until) {
      this.now = this.#lookAt;
      this.decide();
    }
    this.now = until;
    this.decide();
  }

  /** Lets time pass while nobody picks up: each call rings for half a minute, and each text arrives. */
  passUnanswered(seconds: number, ringSeconds = 30): void {
    for (const until = this.now + seconds * 1000; this.now < until; ) {
      const live = this.#stored.attempts.filter(({ end }) => end === undefined);
      const ends = live.map(({ begunAt, channel }) => begunAt + (channel === 'voice' ? ringSeconds * 1000 : 1000));
      const next = Math.min(until, ...ends, ...(this.#lookAt === undefined ? [] : [this.#lookAt]));
      this.now = Math.max(next, this.now);
      for (const [index, attempt] of live.entries())
        if ((ends[index] ?? 0) <= this.now)
          this.#endAttempt(attempt, attempt.channel === 'voice' ? {} : { outcome: 'reached' });
      this.decide();
    }
  }

  #liveOf(name: string): Attempt {
    const found = this.#stored.attempts.find((one) => one.end === undefined && this.#nameOf(one) === name);
    if (found === undefined) throw new Error(`Nothing of ${name} is under way, but of ${this.live.join(', ')}.`);
    return found;
  }

  #update(attempt: Attempt, change: Partial<Attempt>): void {
    const attempts = this.#stored.attempts.map((one) => (one.id === attempt.id ? { ...one, ...change } : one));
    this.#stored = { ...this.#stored, attempts };
  }

  #endAttempt(attempt: Attempt, end: Partial<AttemptEnd>, change: Partial<Attempt> = {}): void {
    const fixed = { at: this.now, outcome: 'failed', isFinal: false, counts: true, notBefore: undefined } as const;
    this.#update(attempt, { hasLeft: true, ...change, end: { ...fixed, ...end } });
  }

  /** The phone is not picked up. */
  ringsOut(name: string): void {
    this.#endAttempt(this.#liveOf(name), {});
    this.decide();
  }

  /** Its provider fails, which is no try of the person. */
  providerFails(name: string): void {
    this.#endAttempt(this.#liveOf(name), { counts: false }, { hasLeft: false });
    this.decide();
  }

  /** No node has made it yet. */
  waitsToBeMade(name: string): void {
    this.#update(this.#liveOf(name), { isDue: true });
    this.decide();
  }

  /** Its provider fails, and the others have no free line. */
  waitsForLine(name: string): void {
    this.#update(this.#liveOf(name), { isDue: true, providerId: undefined });
    this.decide();
  }

  /** The phone is picked up, and these alarms are read. */
  reads(name: string, causeIds: readonly number[]): void {
    this.#update(this.#liveOf(name), { hasLeft: true, announced: causeIds });
    this.decide();
  }

  /** The conversation ends with this answer to each alarm that was read; without one, nothing was pressed. */
  hangsUp(name: string, answer?: Answer): void {
    const attempt = this.#liveOf(name);
    const answers =
      answer === undefined ? [] : (attempt.announced ?? []).map((causeId) => ({ causeId, answer, at: this.now }));
    this.#endAttempt(attempt, { outcome: 'reached' }, { answers });
    this.decide();
  }

  /** Takes everything that was read by key 9. */
  takesAll(name: string): void {
    const attempt = this.#liveOf(name);
    this.#endAttempt(attempt, { outcome: 'reached' }, { tookAllAt: this.now });
    const taken = new Set(attempt.announced);
    const ended = { code: 'taken', by: name } as const;
    this.#causes = this.#causes.map((cause) => (taken.has(cause.id) ? { ...cause, ended } : cause));
    this.decide();
  }

  /** A text arrives. */
  arrives(name: string): void {
    this.#endAttempt(this.#liveOf(name), { outcome: 'reached' });
    this.decide();
  }

  /** A text that arrived is answered. */
  answersText(name: string, causeId: number, answer: Answer): void {
    const text = this.#stored.attempts.findLast((one) => one.end !== undefined && this.#nameOf(one) === name);
    if (text === undefined) throw new Error(`No text of ${name} arrived.`);
    this.#update(text, { answers: [...text.answers, { causeId, answer, at: this.now }] });
    this.decide();
  }

  escalations(causeId: number): readonly Escalation[] {
    return this.#stored.escalations.filter((escalation) => escalation.causeId === causeId);
  }

  /** The state of each escalation of the alarm, such as `group: open, in-vain`. */
  stateOf(causeId: number): readonly string[] {
    return this.escalations(causeId).map(
      ({ target, state, trouble }) => `${target.kind}: ${state}${trouble === undefined ? '' : `, ${trouble.kind}`}`,
    );
  }

  get attempts(): readonly Attempt[] {
    return this.#stored.attempts;
  }

  get stored(): Stored {
    return this.#stored;
  }

  get causes(): readonly Cause[] {
    return this.#causes;
  }
}

function countRows({ changed, opened, begin, cancel, turns }: Decision): number {
  return changed.length + opened.length + begin.length + cancel.length + turns.size;
}
