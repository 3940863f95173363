// Lives a random day: decides after every change unless the wake is dropped, at the instant the engine named, and every
// 30 s; applies each decision as it is, and watches that the engine comes to rest.

import type { Decision } from '../../../src/domain/escalation/decision.ts';
import type { Attempt, Cause, Escalation, NewAttempt } from '../../../src/domain/escalation/escalation.ts';
import { DecisionTime, type World } from '../../../src/domain/escalation/world.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { newAgenda } from './agenda.ts';
import { numberOf } from './directory.ts';
import { happen } from './happenings.ts';
import { Phones } from './phones.ts';
import type { RandomDay } from './random-day.ts';
import { Site } from './site.ts';
import { shown, type Trace } from './trace.ts';

export type Decide = (
  world: World,
  causes: readonly Cause[],
  escalations: readonly Escalation[],
  attempts: readonly Attempt[],
  time: DecisionTime,
) => Decision;

const lookEveryMs = 30_000;
const mostDecisions = 20;

/** Returns what happened on the day; `dropped` is the share of wakes that get lost. */
export function liveDay(day: RandomDay, decide: Decide, dropped: number): Trace {
  const shell = new Shell(day, decide, dropped);
  return shell.run();
}

class Shell {
  readonly #day: RandomDay;
  readonly #decide: Decide;
  readonly #dropped: number;
  readonly #site: Site;
  readonly #agenda = newAgenda();
  readonly #chance: Chance;
  readonly #phones: Phones;
  #lookAt = Number.POSITIVE_INFINITY;
  #isBroken = false;
  #gathers = false;
  #lastChange = '';

  constructor(day: RandomDay, decide: Decide, dropped: number) {
    this.#day = day;
    this.#decide = decide;
    this.#dropped = dropped;
    this.#site = new Site(day);
    this.#chance = chanceOf(day.seed + 2_000_000);
    const later = (afterMs: number, run: () => void): void => this.#agenda.plan(this.#site.now + afterMs, run);
    const chance = chanceOf(day.seed + 1_000_000);
    this.#phones = new Phones(this.#site, chance, { later, changed: () => this.#wake() });
  }

  run(): Trace {
    const { begin, end, happenings } = this.#day;
    for (const happening of happenings) this.#agenda.plan(happening.at, () => this.#happen(happening));
    const phase = this.#chance.int(0, lookEveryMs);
    for (let at = begin + phase; at <= end; at += lookEveryMs) this.#agenda.plan(at, () => this.#look());
    for (let entry = this.#agenda.next(end); entry !== undefined; entry = this.#agenda.next(end)) {
      this.#site.now = entry.at;
      entry.run();
    }
    return this.#site.trace(this.#dropped === 0 ? 2_000 : lookEveryMs + 2_000);
  }

  #happen(happening: RandomDay['happenings'][number]): void {
    happen(happening, this.#site, this.#phones);
    this.#wake();
  }

  /** Later wakes of the same instant are gathered. */
  #wake(): void {
    if (this.#chance.percent(this.#dropped * 100)) {
      this.#site.counts.dropped++;
      return;
    }
    if (this.#gathers) return;
    this.#gathers = true;
    this.#agenda.plan(this.#site.now, () => {
      this.#gathers = false;
      this.#settle();
    });
  }

  #look(): void {
    this.#site.noteChannels();
    const isDue = this.#gathers || this.#lookAt <= this.#site.now;
    const changes = this.#settle();
    if (changes > 0 && !isDue && this.#dropped === 0) {
      this.#site.counts.late++;
      this.#flaw(`the look every 30 s found something to do although no wake was dropped: ${this.#lastChange}`);
    }
    if (this.#chance.percent(20)) this.#decideAgain();
  }

  /** At a random moment before the one that the engine named there is nothing to do. */
  #decideAgain(): void {
    const { now, counts } = this.#site;
    const before = Math.min(this.#lookAt, now + lookEveryMs);
    const at = now + this.#chance.int(0, Math.max(1, before - now));
    const decision = this.#ask(at);
    if (decision === undefined) return;
    counts.again++;
    if (isEmpty(decision)) return;
    counts.rewritten++;
    this.#flaw(`it decided ${summary(decision)} at ${shown(this.#day, at)}, before it said`);
  }

  /** Decides until there is nothing to do, and returns how often there was. */
  #settle(): number {
    for (let count = 0; count < mostDecisions; count++) {
      const decision = this.#ask(this.#site.now);
      if (decision === undefined) return 0;
      if (isEmpty(decision)) {
        this.#planLook(decision.lookAgainAt);
        return count;
      }
      if (count === mostDecisions - 1) this.#flaw(`it does not come to rest: ${summary(decision)}`);
      this.#lastChange = summary(decision);
      this.#apply(decision);
    }
    return mostDecisions;
  }

  #ask(at: number): Decision | undefined {
    if (this.#isBroken) return undefined;
    const { causes, escalations, attempts } = this.#site.rows();
    this.#site.counts.decisions++;
    try {
      const time = new DecisionTime(at, at + this.#site.civilOffsets.last);
      return this.#decide(this.#site.world(), causes, escalations, attempts, time);
    } catch (error) {
      this.#isBroken = true;
      this.#flaw(`it threw: ${error instanceof Error ? error.stack : String(error)}`);
      return undefined;
    }
  }

  #planLook(at: number | undefined): void {
    this.#lookAt = at ?? Number.POSITIVE_INFINITY;
    if (at === undefined) return;
    if (!Number.isInteger(at)) this.#flaw(`it wants to look again at ${at}, which is no whole millisecond`);
    if (at <= this.#site.now) {
      this.#flaw('it wants to look again at an instant that is over');
      return;
    }
    this.#agenda.plan(Math.ceil(at), () => {
      if (this.#lookAt === at) this.#wake();
    });
  }

  #apply(decision: Decision): void {
    const site = this.#site;
    for (const escalation of decision.changed) site.store(escalation);
    for (const { causeId, target, dueAt } of decision.opened) site.open(causeId, target, dueAt);
    for (const { attemptId, reason } of decision.cancel) {
      const trace = site.attempts.get(attemptId);
      if (trace === undefined || !site.isLive(attemptId)) {
        this.#flaw(`attempt ${attemptId}, which is not under way, is cancelled`);
        continue;
      }
      trace.cancelReason = reason;
      const end = { at: site.now, outcome: 'cancelled', isFinal: false, counts: false, notBefore: undefined } as const;
      site.update(attemptId, { end });
    }
    for (const [groupId, userId] of decision.turns) site.turns.set(groupId, userId);
    for (const attempt of decision.begin) this.#begin(attempt);
  }

  #begin(begun: NewAttempt): void {
    const { reason, ...fields } = begun;
    const site = this.#site;
    const number = numberOf(site.snapshot.people.get(begun.userId), begun.numberId);
    const provider = this.#day.organisation.providers.find(({ id }) => id === begun.providerId);
    const what = `a ${begun.kind} to number ${begun.numberId} of ${begun.userId}`;
    if (number === undefined || number.channel !== begun.channel || number.address !== begun.address) {
      this.#flaw(`${what} begins, which is not in the directory like that`);
      return;
    }
    const lines = provider?.lines ?? Number.POSITIVE_INFINITY;
    const inUse = site.live.filter((id) => site.attempts.get(id)?.attempt.providerId === begun.providerId).length;
    if (provider?.channel !== begun.channel)
      this.#flaw(`${what} begins by provider ${begun.providerId} of another channel`);
    else if (inUse >= lines) this.#flaw(`${what} begins by provider ${provider.id}, whose ${lines} lines are in use`);
    const attempt: Attempt = {
      ...fields,
      id: site.attempts.size + 1,
      announced: undefined,
      begunAt: site.now,
      isDue: false,
      hasLeft: false,
      end: undefined,
      answers: [],
      tookAllAt: undefined,
    };
    const noTimes = { leftAt: undefined, announcedAt: undefined, cancelReason: undefined, isLost: false };
    site.begin({ attempt, reason, number, ...noTimes });
    this.#phones.deliver(attempt.id);
  }

  #flaw(sentence: string): void {
    if (this.#site.flaws.length < 50) this.#site.flaws.push(`${shown(this.#day, this.#site.now)}: ${sentence}`);
  }
}

function isEmpty({ changed, opened, begin, cancel, turns }: Decision): boolean {
  return changed.length + opened.length + begin.length + cancel.length + turns.size === 0;
}

function summary({ changed, opened, begin, cancel, turns }: Decision): string {
  const [first] = changed;
  const parts = [
    `${changed.length} changed${first === undefined ? '' : ` (${JSON.stringify(first).slice(0, 300)})`}`,
    `${opened.length} opened`,
    `${begin.length} begun`,
    `${cancel.length} cancelled`,
    `${turns.size} turns`,
  ];
  return parts.join(', ');
}
