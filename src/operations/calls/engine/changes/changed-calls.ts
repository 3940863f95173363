// Decides on what has changed since the last decision, on what is due, and a part of the rest in turn, so that every cause is looked at
// within half a minute; in the thread that decides on many.

import type { Decision } from '../../../../domain/escalation/decision.ts';
import { decideRelated } from '../../../../domain/escalation/related/decide-related.ts';
import type { KnownCalling } from '../../../../domain/escalation/related/known-calling.ts';
import type { Instant, ReadTx } from '../../../../store/store.ts';
import type { CallConfiguration } from '../../../configuration/call-configuration.ts';
import { type Decided, isEmpty, type Plan } from '../plan.ts';
import { type Around, readAround } from '../read-around.ts';
import { type Calling, readExhausted } from '../read-calling.ts';
import { triesOf } from '../rows/attempt-rows.ts';
import type { Shown } from '../troubles.ts';
import { KnownRows } from './known-rows.ts';

const lookAtAllMs = 30_000;
const leastLookedAt = 200;

type PlanFor = (tx: ReadTx, now: Instant, calling: Calling, decision: Decision, shown: Shown) => Promise<Plan>;

export class ChangedCalls {
  #rows = new KnownRows();
  #clockKey = '';
  #configuration: CallConfiguration | undefined;
  #locks = '';
  #ways = '';
  #lookedAt = 0;

  forget(): void {
    this.#rows = new KnownRows();
    this.#configuration = undefined;
  }

  async decide(tx: ReadTx, now: Instant, isOfAll: boolean, planFor: PlanFor): Promise<Decided> {
    const around = await readAround(tx, now);
    // What is known holds instants as they were before the clock was set.
    if (isOfAll || around.time.key !== this.#clockKey) this.forget();
    this.#clockKey = around.time.key;
    const { calling: known } = this.#rows;
    const { engine } = around.decisionTime;
    const looked = new Set(this.#nextToLookAt(known, engine));
    await this.#rows.refresh(tx, now, around, looked);
    const due = this.#due(around);
    known.addRelated(due);
    const { underWay } = this.#rows;
    const decideOn = (causeIds: ReadonlySet<number>) =>
      decideRelated(known, causeIds, { world: around.world, underWay, newTime: () => around.time.decisionAt(now) });
    const { decision, causeIds, ...on } = decideOn(new Set([...due, ...looked]));
    const { escalationRows, attemptRows } = this.#rows;
    const exhausted = await readExhausted(tx, around, escalationRows);
    const calling = {
      ...around,
      ...on,
      exhausted: exhausted.values,
      escalationRows,
      attemptRows,
      unreadable: nothingUnreadable,
    };
    const shown: Shown = {
      stationOf: (id) => (escalationRows.get(id) ?? exhausted.rows.find((row) => row.id === id))?.station_id,
      isEnded: (id) => known.find(id)?.cause.ended !== undefined,
      escalations: [...known.noted(), ...on.escalations, ...exhausted.values],
      parts: [...decision.parts, ...known.partsOfOthers(causeIds)],
    };
    const plan = await planFor(tx, now, calling, decision, shown);
    const touched = touchedBy(plan, this.#rows);
    const found = [...touched].filter((id) => looked.has(id) && !due.has(id));
    // A call that something announced is also for others that are open for its person.
    const announced = found.length === 0 ? due : decideOn(due).causeIds;
    known.noteDecided(decision.outlooks, touched, engine);
    const next = Math.min(around.decisionTime.next ?? Number.POSITIVE_INFINITY, known.nextDue(around.decisionTime));
    return {
      plan: isEmpty(plan) ? undefined : plan,
      lookAgainAt: Number.isFinite(next) ? around.time.toClock(next) : undefined,
      unreadable: nothingUnreadable,
      isLate: found.some((id) => !announced.has(id)),
    };
  }

  /** So many of those that were decided on longest ago that all are looked at in the time. */
  #nextToLookAt(known: KnownCalling, engine: number): readonly number[] {
    const elapsed = Math.min(engine - this.#lookedAt, lookAtAllMs);
    this.#lookedAt = engine;
    const most = Math.max(leastLookedAt, Math.ceil((known.size * elapsed) / lookAtAllMs));
    return known.notLookedAtSince(engine - lookAtAllMs, most);
  }

  /** The causes that something has changed for, or that an instant has come for. */
  #due({ configuration, world, decisionTime }: Around): Set<number> {
    const { calling, underWay } = this.#rows;
    const locks = JSON.stringify([...world.locks]);
    if (configuration !== this.#configuration || locks !== this.#locks) calling.forgetDecided();
    this.#configuration = configuration;
    this.#locks = locks;
    const { uses, goneNodes } = world.providers;
    const ways = JSON.stringify([
      ...[[...uses], [...goneNodes], [...world.recoveries], world.tolls?.use],
      underWay.map(({ id }) => id),
    ]);
    const isOtherWays = ways !== this.#ways;
    this.#ways = ways;
    return calling.due(decisionTime, isOtherWays);
  }
}

const nothingUnreadable = { causes: [], attempts: [] };

/** The causes for which something is done, or that attempts were stopped for. */
function touchedBy(
  { changed, opened, begin, notCalled, cancel }: Plan,
  { attemptRows }: KnownRows,
): ReadonlySet<number> {
  const stopped = cancel.flatMap(({ attemptId }) => attemptRows.get(attemptId) ?? []).flatMap(triesOf);
  const tried = [...begin, ...notCalled].flatMap(({ tries }) => tries);
  return new Set([
    ...changed.map(({ escalation }) => escalation.causeId),
    ...[...opened, ...tried, ...stopped].map(({ causeId }) => causeId),
  ]);
}
