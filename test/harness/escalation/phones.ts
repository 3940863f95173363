// What becomes of attempts: telephones that ring, are picked up or not, and answered by key; texts, and late replies to
// them; providers that fail.

import type { Answer, Attempt, AttemptEnd } from '../../../src/domain/escalation/escalation.ts';
import type { Chance } from '../chance.ts';
import { isSpokenOn, numberOf, peopleOf, picksPeople } from './directory.ts';
import type { Mood } from './organisation.ts';
import type { Site } from './site.ts';
import type { AttemptTrace } from './trace.ts';

type Hooks = { readonly later: (afterMs: number, run: () => void) => void; readonly changed: () => void };
type Key = Answer | 'taken' | 'all' | 'nothing';

const noMood: Mood = { picksUp: 0, takes: 0, answers: 0, replies: 0 };
const mostRead = 10;

export class Phones {
  readonly #site: Site;
  readonly #chance: Chance;
  readonly #hooks: Hooks;
  /** Ids of providers that fail in truth, whether that is known or not. */
  readonly #dead = new Set<number>();
  readonly #failures = new Map<number, Set<string>>();

  constructor(site: Site, chance: Chance, hooks: Hooks) {
    this.#site = site;
    this.#chance = chance;
    this.#hooks = hooks;
  }

  deliver(id: number): void {
    this.#then(id, this.#seconds(0.2, 2.5), () => {
      const { attempt } = this.#traceOf(id);
      if (this.#failsAtProvider(id)) return;
      this.#siteCarried(attempt.providerId);
      this.#site.update(id, { hasLeft: true });
      this.#traceOf(id).leftAt = this.#site.now;
      if (isSpokenOn(attempt.channel)) this.#ring(id);
      else this.#send(id);
      this.#hooks.changed();
    });
  }

  /** Sets whether a provider works, and when its check notices. */
  setProvider(providerId: number, isUp: boolean, noticedAfterMs: number | undefined): void {
    if (isUp) this.#dead.delete(providerId);
    else this.#dead.add(providerId);
    if (noticedAfterMs === undefined) return;
    this.#hooks.later(noticedAfterMs, () => {
      if (this.#dead.has(providerId) === isUp) return;
      if (isUp) this.#siteCarried(providerId);
      else this.#down(providerId);
      this.#hooks.changed();
    });
  }

  setNode(isUp: boolean): void {
    const site = this.#site;
    if (!isUp) site.goneNodes.add('b');
    else {
      site.goneNodes.delete('b');
      const back = site.day.organisation.providers.filter(({ node }) => node === 'b');
      for (const { channel } of back) site.recoveries.set(channel, site.now);
    }
    site.noteChannels();
  }

  /** Some attempts under way are lost in a restart, the others are found again. */
  restart(): void {
    this.#site.counts.restarts++;
    for (const id of this.#site.live) {
      if (!this.#chance.percent(50)) continue;
      this.#traceOf(id).isLost = true;
      this.#end(id, 'failed', { counts: false });
    }
  }

  #failsAtProvider(id: number): boolean {
    const { attempt } = this.#traceOf(id);
    const isDead = attempt.providerId === undefined || this.#dead.has(attempt.providerId);
    if (isDead) {
      this.#end(id, 'failed', { counts: false });
      this.#noteFailure(attempt);
      this.#hooks.changed();
      return true;
    }
    if (!this.#site.day.organisation.failing.has(attempt.numberId)) return false;
    this.#siteCarried(attempt.providerId);
    const isFinal = this.#chance.percent(10);
    this.#end(id, 'failed', { counts: isFinal || this.#failedBefore(attempt), isFinal });
    this.#hooks.changed();
    return true;
  }

  /** The verdict: a number that failed twice, at least 30 s apart, beside a provider that works, uses up a try. */
  #failedBefore({ numberId }: Attempt): boolean {
    return [...this.#site.attempts.values()].some(
      ({ attempt }) =>
        attempt.numberId === numberId && attempt.end?.outcome === 'failed' && attempt.end.at <= this.#site.now - 30_000,
    );
  }

  #noteFailure({ providerId, address }: Attempt): void {
    if (providerId === undefined) return;
    const failed = (this.#failures.get(providerId) ?? new Set()).add(address);
    this.#failures.set(providerId, failed);
    const isDown = this.#site.health.get(providerId)?.state === 'down';
    if (isDown || failed.size >= 3 || this.#chance.percent(25)) this.#down(providerId);
  }

  #down(providerId: number): void {
    const { now } = this.#site;
    const health = { state: 'down', since: now, failures: 3, probeAt: now + 30_000, reason: '' } as const;
    this.#site.setHealth(providerId, health);
  }

  #siteCarried(providerId: number | undefined): void {
    const site = this.#site;
    const provider = site.day.organisation.providers.find(({ id }) => id === providerId);
    if (provider === undefined) return;
    this.#failures.delete(provider.id);
    if (site.health.get(provider.id)?.state !== 'down') return;
    site.setHealth(provider.id, { state: 'up', since: site.now, failures: 0, probeAt: 0, reason: '' });
    // One of a node that is gone carries nothing.
    if (site.isWorking(provider)) site.recoveries.set(provider.channel, site.now);
  }

  #ring(id: number): void {
    const mood = this.#moodOf(id);
    if (this.#chance.percent(8)) {
      this.#then(id, this.#seconds(1, 4), () => this.#fail(id));
      return;
    }
    if (!this.#chance.percent(mood.picksUp)) {
      this.#then(id, this.#seconds(15, 31), () => this.#fail(id));
      return;
    }
    this.#then(id, this.#seconds(2, 25), () => {
      // A voicemail proves nothing.
      if (this.#chance.percent(10)) this.#then(id, this.#seconds(8, 20), () => this.#fail(id));
      else this.#then(id, this.#seconds(2, 6), () => this.#speak(id));
    });
  }

  #fail(id: number): void {
    const notBefore = this.#chance.percent(3) ? this.#site.now + this.#chance.int(30, 200) * 1_000 : undefined;
    this.#end(id, 'failed', { counts: true, notBefore });
    this.#hooks.changed();
  }

  #speak(id: number): void {
    this.#announce(id);
    this.#hooks.changed();
    this.#then(id, this.#seconds(3, 40), () => {
      this.#press(id, this.#keyOf(this.#moodOf(id)));
      this.#hooks.changed();
      this.#then(id, this.#seconds(1, 6), () => {
        this.#end(id, 'reached', {});
        this.#hooks.changed();
      });
    });
  }

  #keyOf({ answers, takes }: Mood): Key {
    if (!this.#chance.percent(answers)) return 'nothing';
    if (this.#chance.percent(takes)) return this.#chance.pick(['taken', 'taken', 'all']);
    return this.#chance.pick(['heard', 'heard', 'declined', 'later']);
  }

  #send(id: number): void {
    this.#announce(id);
    this.#end(id, 'reached', {});
    const { attempt, number } = this.#traceOf(id);
    if (attempt.kind === 'bundle') return;
    if (number.acksWhenReached && attempt.kind === 'call')
      this.#answer(id, this.#traceOf(id).attempt.announced ?? [], 'heard');
    const mood = this.#moodOf(id);
    if (!this.#chance.percent(mood.replies)) return;
    this.#hooks.later(this.#seconds(5, this.#chance.pick([60, 200, 1_800])), () => {
      this.#press(id, this.#keyOf({ ...mood, answers: 100 }));
      this.#hooks.changed();
    });
  }

  /** Fixes what is announced: at the proof every alarm that is open for the person, in a notice those it was made for. */
  #announce(id: number): void {
    const { attempt } = this.#traceOf(id);
    const named = new Set(attempt.tries.map(({ causeId }) => causeId));
    const open = this.#site.openCauses.filter((cause) => {
      if (named.has(cause.id)) return true;
      return attempt.kind === 'call' && this.#isOpenFor(attempt.userId, cause.id);
    });
    const urgent = open.toSorted((one, other) => one.priority - other.priority || one.id - other.id);
    const announced = attempt.kind === 'bundle' ? [] : urgent.map((cause) => cause.id);
    this.#traceOf(id).announcedAt = this.#site.now;
    this.#site.update(id, { announced });
  }

  #isOpenFor(userId: number, causeId: number): boolean {
    const site = this.#site;
    const { moment } = site;
    return site.escalationsOf(causeId).some(({ states: { last } }) => {
      if (last.state !== 'open' || last.pausedUntil !== undefined) return false;
      return last.entered.some(({ key }) => {
        if (picksPeople(key, site.snapshot) === undefined) return peopleOf(key, moment).includes(userId);
        return last.picked.some((one) => one.key === key && one.userId === userId);
      });
    });
  }

  #press(id: number, key: Key): void {
    const site = this.#site;
    const { attempt } = this.#traceOf(id);
    // The keys of a deleted person or number do not count.
    if (numberOf(site.snapshot.people.get(attempt.userId), attempt.numberId) === undefined) return;
    const open = (attempt.announced ?? []).filter((causeId) => site.causes.get(causeId)?.ended === undefined);
    const asking = open.filter((causeId) => site.causes.get(causeId)?.asks);
    const by = `user ${attempt.userId}`;
    switch (key) {
      case 'nothing':
        return;
      case 'taken':
        for (const causeId of asking.slice(0, 1)) site.endCause(causeId, { code: 'taken', by });
        if (this.#chance.percent(50)) this.#answer(id, open, 'heard');
        return;
      case 'all': {
        const read = attempt.announced?.slice(0, mostRead) ?? [];
        const takes = (causeId: number): boolean => read.includes(causeId) || site.causes.get(causeId)?.priority !== 1;
        for (const causeId of asking.filter(takes)) site.endCause(causeId, { code: 'taken', by });
        site.update(id, { tookAllAt: site.now });
        this.#answer(id, open, 'heard');
        return;
      }
      default:
        this.#answer(id, this.#chance.percent(85) ? open : open.slice(0, 1), key);
    }
  }

  #answer(id: number, causeIds: readonly number[], answer: Answer): void {
    const { attempt } = this.#traceOf(id);
    const open = causeIds.filter((causeId) => this.#site.causes.get(causeId)?.ended === undefined);
    const given = open.map((causeId) => ({ causeId, answer, at: this.#site.now }));
    this.#site.update(id, { answers: [...attempt.answers, ...given] });
  }

  #end(id: number, outcome: AttemptEnd['outcome'], details: Partial<AttemptEnd>): void {
    const at = this.#site.now;
    const end = { at, outcome, isFinal: false, counts: outcome === 'failed', notBefore: undefined, ...details };
    this.#site.update(id, { end });
  }

  /** Goes on with an attempt unless it ended meanwhile. */
  #then(id: number, afterMs: number, run: () => void): void {
    this.#hooks.later(afterMs, () => {
      if (this.#site.isLive(id)) run();
    });
  }

  #seconds(low: number, high: number): number {
    return this.#chance.int(low * 1_000, high * 1_000);
  }

  #moodOf(id: number): Mood {
    return this.#site.day.organisation.moods.get(this.#traceOf(id).attempt.userId) ?? noMood;
  }

  #traceOf(id: number): AttemptTrace {
    return this.#site.attempts.get(id) as AttemptTrace;
  }
}
