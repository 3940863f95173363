// The call dispatcher: delivers each attempt that the engine begins through its channel, and records the outcome.

import { setTimeout as pause } from 'node:timers/promises';
import { callEnded, leaseLost, notAccepted } from '../channels/channel.ts';
import { cancelled, internalFault } from '../channels/verdicts.ts';
import type { SteadyClock } from '../clock.ts';
import type { CallMessage, Delivery, Progress, ProviderFault } from '../domain/calls/delivery.ts';
import { storedReason } from '../domain/channels/words/provider-reason.ts';
import { hideAddressIn } from '../domain/people/hidden-address.ts';
import { endAttempt } from '../operations/calls/delivery/end-attempt.ts';
import { failOver } from '../operations/calls/delivery/fail-over.ts';
import { renewLeases } from '../operations/calls/delivery/leases.ts';
import { noteProgress } from '../operations/calls/delivery/progress.ts';
import { attemptCancelled } from '../operations/calls/engine/call-events.ts';
import { hasDueAttempts } from '../operations/calls/queries.ts';
import { reportChannelDown, reportNoWay } from '../operations/providers/channel-alarms.ts';
import type { EventFeed } from '../store/event-feed.ts';
import type { StoredEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import type { ProviderPool } from './channels/provider-pool.ts';
import { countBusy } from './due/busy-attempts.ts';
import { DueAttempts, newReplyCode } from './due/due-attempts.ts';
import { isStoreAway, SetAsideEnds } from './due/due-rows.ts';
import type { FarEnds } from './due/far-ends.ts';
import { PollingLoop } from './polling-loop.ts';
import type { WorkInHand } from './work-in-hand.ts';

/**
 * Due times are compared with a clock that can be stepped, so the dispatcher polls instead of sleeping until a due
 * time.
 */
const pollEveryMs = 200;
const leaseMs = 10_000;
const renewEveryMs = 3_000;
/** After this time without a renewal, another node may have taken the attempt over. */
const leaseDoubtMs = leaseMs - 2_000;
/** Deliveries that start within this time of taking the attempt skip the lease check. */
const skipLeaseCheckMs = 500;
/** An attempt is held for as long as its telephone rings, up to half a minute. */
const mostHeldAttempts = 2_000;
/** Beyond this number only attempts of priority 1 are taken. */
const mostLessUrgentAttempts = 1_500;
const mostTakenAtOnce = 100;
const retryDelayMs = 500;
/** A provider that has not accepted a delivery after this time counts as down for it. */
const acceptWithinMs = 10_000;
/** How long stop() waits for deliveries: half of the time a server has to shut down. */
const drainTimeoutMs = 5_000;

export type CallDispatcherParts = {
  readonly store: Store;
  readonly clock: SteadyClock;
  readonly feed: EventFeed;
  readonly nodeId: string;
  readonly nodeName: string;
  readonly pool: Pick<ProviderPool, 'get' | 'sync' | 'poll' | 'problemOf' | 'isElsewhere' | 'noteRefusal'>;
  readonly inHand: Pick<WorkInHand, 'begin' | 'end'>;
  readonly farEnds: Pick<FarEnds, 'look' | 'underWay'>;
  readonly onTrouble: (error: unknown) => void;
  /** Called for each channel that is not set up and for which calls fail. */
  readonly onMissingChannel: (channel: string) => void;
};

type HeldAttempt = {
  /** With the provider that has it now. */
  message: CallMessage;
  readonly controller: AbortController;
  renewedAt: number;
  /** When the provider was asked, by the elapsed time, until it has accepted. */
  askedAt: number | undefined;
  /** Aborts the delivery by the present provider alone. */
  delivering: AbortController;
  /** The reports stored so far, in their order. */
  reports: Promise<void>;
};

export class CallDispatcher {
  readonly #parts: CallDispatcherParts;
  readonly #heldAttempts = new Map<number, HeldAttempt>();
  readonly #deliveries = new Set<Promise<void>>();
  readonly #attempts: DueAttempts;
  readonly #ends: SetAsideEnds;
  readonly #loop: PollingLoop;
  readonly #renewing: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #stopped: Promise<void> | undefined;
  #isDrained = false;
  #lastCycleAt = performance.now();

  constructor(parts: CallDispatcherParts) {
    this.#parts = parts;
    this.#attempts = new DueAttempts(parts);
    this.#ends = new SetAsideEnds(parts);
    this.#loop = new PollingLoop(pollEveryMs, () => this.#work(), parts.onTrouble);
    const unsubscribes = [
      parts.feed.subscribe((event) => this.#onEvent(event), 'but-frequent'),
      parts.store.onEvents(() => this.#loop.wakeSoon()),
    ];
    this.#unsubscribe = () => unsubscribes.forEach((unsubscribe) => void unsubscribe());
    this.#renewing = setInterval(() => void this.#renew().catch(parts.onTrouble), renewEveryMs);
  }

  poll(): Promise<void> {
    return this.#loop.poll();
  }

  /** Returns when due attempts were last looked for, by the monotonic clock. */
  lastCycleAt(): number {
    return this.#lastCycleAt;
  }

  /**
   * Takes no further attempts and waits for deliveries, so that a shutdown calls nobody twice. Aborts deliveries that
   * take too long; the next start determines their outcome.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#drain();
    return this.#stopped;
  }

  async #drain(): Promise<void> {
    await this.#loop.stop();
    for (const held of this.#heldAttempts.values())
      if (this.#providerOf(held.message)?.survivesShutdown(held.message)) this.#abandonLease(held);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, drainTimeoutMs);
    await Promise.race([Promise.all(this.#deliveries), late]);
    clearTimeout(timer);
    this.#isDrained = true;
    clearInterval(this.#renewing);
    this.#unsubscribe();
    for (const { controller } of this.#heldAttempts.values()) controller.abort();
    this.#heldAttempts.clear();
  }

  #providerOf({ providerId }: CallMessage) {
    return providerId === undefined ? undefined : this.#parts.pool.get(providerId);
  }

  async #work(): Promise<void> {
    const { store, clock, pool } = this.#parts;
    pool.poll();
    this.#abortUnaccepted(clock.elapsed());
    for (;;) {
      const areDue = await store.read(hasDueAttempts, { now: clock.now() });
      const taken = areDue && !this.#loop.isStopped ? await this.#take() : 0;
      await this.#ends.look();
      this.#lastCycleAt = performance.now();
      if (this.#loop.isStopped || taken === 0) return;
    }
  }

  async #take(): Promise<number> {
    const { nodeId, nodeName } = this.#parts;
    const busy = countBusy(this.#heldAttempts);
    const room = Math.min(mostTakenAtOnce, mostHeldAttempts - busy);
    if (room <= 0) return 0;
    const replyCodes = Array.from({ length: room }, newReplyCode);
    const heldAttemptIds = [...this.#heldAttempts.keys()];
    await this.#parts.farEnds.look(heldAttemptIds);
    const since = performance.now();
    const isOnlyUrgent = busy >= mostLessUrgentAttempts;
    const { underWay: releasingIds } = this.#parts.farEnds;
    const taking = { node: nodeId, nodeName, leaseMs, replyCodes, heldAttemptIds, releasingIds, isOnlyUrgent };
    const messages = await this.#attempts.take(taking);
    for (const message of messages) {
      const held: HeldAttempt = {
        message,
        controller: new AbortController(),
        renewedAt: since,
        askedAt: undefined,
        delivering: new AbortController(),
        reports: Promise.resolve(),
      };
      this.#heldAttempts.set(message.attemptId, held);
      this.#parts.inHand.begin({ kind: 'attempt', id: message.attemptId });
      const delivery = this.#deliver(held)
        .catch(this.#parts.onTrouble)
        .finally(() => {
          this.#parts.inHand.end({ kind: 'attempt', id: message.attemptId });
          this.#deliveries.delete(delivery);
        })
        .catch(this.#parts.onTrouble);
      this.#deliveries.add(delivery);
    }
    return messages.length;
  }

  async #deliver(held: HeldAttempt): Promise<void> {
    const { attemptId } = held.message;
    try {
      if (!(await this.#stillHoldsLease(held))) return;
      const delivery = await this.#deliverByAny(held);
      await held.reports;
      if (delivery !== undefined && this.#heldAttempts.has(attemptId)) await this.#record(attemptId, delivery);
    } finally {
      this.#heldAttempts.delete(attemptId);
      void this.poll();
    }
  }

  /** Tries one provider after the other; returns undefined if the attempt waits for capacity or another node has it. */
  async #deliverByAny(held: HeldAttempt): Promise<Delivery | undefined> {
    const { store, nodeId, nodeName } = this.#parts;
    let isDownHere = false;
    for (;;) {
      const delivery = withoutAddress(await this.#deliverBy(held), held.message.address);
      const fault = faultOf(delivery);
      if (delivery.kind !== 'failed' || fault === undefined || held.controller.signal.aborted) return delivery;
      const { reason, outcome } = delivery;
      const { attemptId, channel, providerId: leavingId = 0 } = held.message;
      if (fault === 'refused') this.#parts.pool.noteRefusal(leavingId, reason);
      await held.reports;
      const failed = { node: nodeId, nodeName, attemptId, leavingId, fault, outcome, reason };
      const next = await this.#untilStored(() => store.write(failOver, failed));
      if (next?.kind === 'use') held.message = nextMessage(held.message, next);
      else if (next?.kind === 'none') {
        // A provider that may not carry it says nothing of one that may, and is out of service.
        const isDown = fault === 'down' || (fault === 'barred' && (isDownHere || next.hasUnasked));
        if (!isDown) return delivery;
        const { store, onTrouble } = this.#parts;
        await store.write(reportChannelDown, { channel, reason }).catch(onTrouble);
        return { ...delivery, outcome: 'providerDown', retry: 'channel-up' };
      } else return undefined;
      isDownHere ||= fault === 'down';
    }
  }

  /**
   * Guards against a process that was suspended: another node may have taken the attempt over, or a person
   * acknowledged.
   */
  async #stillHoldsLease({ message: { attemptId }, renewedAt }: HeldAttempt): Promise<boolean> {
    if (performance.now() - renewedAt <= skipLeaseCheckMs) return true;
    const { store, nodeId } = this.#parts;
    const lease = { node: nodeId, leaseMs, attemptIds: [attemptId], isBeforeDelivery: true };
    return (await store.write(renewLeases, lease)).length > 0;
  }

  async #deliverBy(held: HeldAttempt): Promise<Delivery> {
    const { message } = held;
    if (message.providerId === undefined) return this.#failWithoutProvider(message);
    if (this.#providerOf(message) === undefined) await this.#parts.pool.sync();
    const provider = this.#providerOf(message);
    if (provider === undefined) return this.#unopened(message.providerId);
    held.delivering = new AbortController();
    held.askedAt = this.#parts.clock.elapsed();
    const signal = AbortSignal.any([held.controller.signal, held.delivering.signal]);
    const report = (progress: Progress): void => this.#note(held, progress);
    try {
      const known = message.isUnsure ? await provider.ask?.(message, report, signal) : undefined;
      const delivery = known ?? (await provider.deliver(message, report, signal));
      const isGivenUp = held.delivering.signal.aborted && !held.controller.signal.aborted;
      return isGivenUp && !isDown(delivery) ? down(storedReason({ code: 'not-accepted' })) : delivery;
    } catch (error) {
      this.#parts.onTrouble(error);
      return isStoreAway(error) ? storeAway : internalFault;
    } finally {
      held.askedAt = undefined;
    }
  }

  #unopened(providerId: number): Delivery {
    const { pool } = this.#parts;
    const reason = pool.problemOf(providerId);
    return pool.isElsewhere(providerId) ? { ...cancelled, reason } : down(reason);
  }

  async #failWithoutProvider({ channel, unserved = 'not-set-up' }: CallMessage): Promise<Delivery> {
    const { store, onTrouble } = this.#parts;
    const reason = storedReason({ code: 'unserved', why: unserved, channel });
    if (unserved === 'limited') return { kind: 'failed', retry: 'later', outcome: 'limited', reason };
    if (unserved === 'not-set-up') this.#parts.onMissingChannel(channel);
    await store.write(reportNoWay, { channel, why: unserved }).catch(onTrouble);
    const comesBack = unserved === 'down' || unserved === 'switched-off';
    return { kind: 'failed', retry: comesBack ? 'channel-up' : 'never', outcome: 'providerDown', reason };
  }

  /** Stores progress in the order in which it was reported, also after the end of the delivery. */
  #note(held: HeldAttempt, progress: Progress): void {
    const { store, clock, onTrouble } = this.#parts;
    const { attemptId } = held.message;
    held.askedAt = undefined;
    const at = clock.now();
    held.reports = held.reports.then(() => store.write(noteProgress, { attemptId, progress, at })).catch(onTrouble);
  }

  #abortUnaccepted(now: number): void {
    for (const { askedAt, delivering } of this.#heldAttempts.values())
      if (askedAt !== undefined && now - askedAt >= acceptWithinMs) delivering.abort(notAccepted);
  }

  async #record(attemptId: number, delivery: Delivery): Promise<void> {
    const { store, nodeId } = this.#parts;
    const end = (): Promise<void> => store.write(endAttempt, { node: nodeId, attemptId, delivery });
    // The outcome may contain a value that the database refuses, or the call's row may be unreadable: the attempt then ends as failed.
    await this.#untilStored(() =>
      end().catch((error) => {
        if (isStoreAway(error)) throw error;
        return this.#attempts.fail(attemptId, error);
      }),
    );
  }

  /**
   * Retries until the change is stored: this node may still hold the lease if the database was down. Gives up, with
   * undefined, when a shutdown has waited long enough.
   */
  async #untilStored<T>(write: () => Promise<T>): Promise<T | undefined> {
    while (!this.#isDrained) {
      try {
        return await write();
      } catch (error) {
        this.#parts.onTrouble(error);
        await pause(retryDelayMs);
      }
    }
    return undefined;
  }

  /** Aborts attempts whose lease this node has lost or could not renew in time. */
  async #renew(): Promise<void> {
    const attempts = [...this.#heldAttempts.values()];
    if (attempts.length === 0) return;
    const { store, nodeId } = this.#parts;
    const since = performance.now();
    try {
      const attemptIds = attempts.map(({ message }) => message.attemptId);
      const held = new Set(await store.write(renewLeases, { node: nodeId, leaseMs, attemptIds }));
      for (const attempt of attempts) {
        if (held.has(attempt.message.attemptId)) attempt.renewedAt = since;
        else this.#abandonLease(attempt);
      }
      await this.#endUnwanted(attempts.filter(({ message }) => held.has(message.attemptId)));
    } finally {
      // SQLite has one server, so nobody else takes an attempt over: a slow machine must not cut a call.
      const isDoubtful = ({ renewedAt }: HeldAttempt): boolean =>
        store.kind !== 'sqlite' && performance.now() - renewedAt > leaseDoubtMs;
      for (const attempt of attempts) if (isDoubtful(attempt)) this.#abandonLease(attempt);
    }
  }

  /** The event that ends an attempt may come before the attempt that this node has just taken. */
  async #endUnwanted(attempts: readonly HeldAttempt[]): Promise<void> {
    if (attempts.length === 0) return;
    const { store, nodeId } = this.#parts;
    const attemptIds = attempts.map(({ message }) => message.attemptId);
    const asked = { node: nodeId, leaseMs, attemptIds, isBeforeDelivery: true };
    const wanted = new Set(await store.write(renewLeases, asked));
    for (const { message, controller } of attempts)
      if (!wanted.has(message.attemptId) && this.#heldAttempts.has(message.attemptId)) controller.abort(callEnded);
  }

  #abandonLease({ message, controller }: HeldAttempt): void {
    this.#heldAttempts.delete(message.attemptId);
    controller.abort(leaseLost);
  }

  /** Aborts the delivery of an attempt that nobody is owed any more. */
  #onEvent({ kind, subjectId }: StoredEvent): void {
    if (kind === attemptCancelled) this.#heldAttempts.get(subjectId ?? 0)?.controller.abort(callEnded);
  }
}

function nextMessage(message: CallMessage, next: Pick<CallMessage, 'providerId' | 'hasNextProvider'>): CallMessage {
  const { providerId, hasNextProvider } = next;
  return { ...message, providerId, hasNextProvider, providerRef: undefined, isUnsure: false };
}

/** Another provider may carry what ended by an error in Tocsin, which says nothing of this one. */
function faultOf(delivery: Delivery): ProviderFault | undefined {
  if (delivery.kind !== 'failed') return undefined;
  return delivery.failure === 'own-fault' ? 'barred' : delivery.fault;
}

/** Neither the provider nor the person is to blame: the call is made again when the database is there. */
const storeAway: Delivery = { ...cancelled, reason: storedReason({ code: 'store-away' }) };

function down(reason: string): Delivery {
  return { kind: 'failed', retry: 'later', outcome: 'providerDown', fault: 'down', reason };
}

/** Everybody reads why a provider or channel failed: in its alarm, its health and the log. */
function withoutAddress(delivery: Delivery, address: string): Delivery {
  return delivery.kind === 'failed' ? { ...delivery, reason: hideAddressIn(delivery.reason, address) } : delivery;
}

/** Whether the channel itself says that the provider is down, in words that name it. */
function isDown(delivery: Delivery): boolean {
  return delivery.kind === 'failed' && delivery.fault === 'down';
}
