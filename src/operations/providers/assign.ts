// Assigns providers to attempts within one transaction, counting what it has assigned already.

import type { Unserved } from '../../domain/calls/delivery.ts';
import {
  type ChoiceContext,
  chooseProvider,
  hasUnasked,
  isGone,
  isHere,
  type ProviderChoice,
  type ProviderUse,
} from '../../domain/channels/choose-provider.ts';
import { type Provider, unknownHealth } from '../../domain/channels/provider.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, ReadTx } from '../../store/store.ts';
import { usedToday } from '../calls/inputs/toll-use.ts';
import { type CallConfiguration, readCallConfiguration } from '../configuration/call-configuration.ts';
import { selectSuspectAttempts } from '../quarantine/rows.ts';
import { goneNodes } from '../system/node-queries.ts';
import { loadHealth } from './provider-rows.ts';
import { selectInUse } from './queries.ts';
import { leftToOthers } from './unopened.ts';

type AttemptRow = {
  readonly priority: number;
  readonly channel: string;
  readonly address: string;
  readonly provider_id: number | null;
  readonly tried_providers: string;
};

type AssigningNode = {
  readonly node: string;
  readonly nodeName: string;
  /** Attempts that were begun and are not under way: they use no line. */
  readonly waiting?: readonly number[];
};

/** A row with its provider, or why it has none. */
export type Assigned<R> = R & { readonly unserved: Unserved | undefined };

export class ProviderAssignment {
  readonly #context: ChoiceContext;
  readonly #uses: Map<number, ProviderUse>;

  private constructor(context: ChoiceContext, uses: Map<number, ProviderUse>) {
    this.#context = context;
    this.#uses = uses;
  }

  static async load(tx: ReadTx, now: Instant, { node, nodeName, waiting }: AssigningNode): Promise<ProviderAssignment> {
    const configuration = await readCallConfiguration(tx);
    const { providers, policy } = configuration;
    const uses = await loadUses(tx, now, configuration, waiting);
    const { hasSimulator } = policy;
    const gone = await goneNodes(tx, providers, now, nodeName);
    const elsewhere = await leftToOthers(tx, now, node);
    return new ProviderAssignment({ providers, uses, hasSimulator, nodeName, goneNodes: gone, elsewhere, now }, uses);
  }

  choose(row: AttemptRow): ProviderChoice {
    return chooseProvider(row, triedOf(row), this.#context);
  }

  /** Whether there is a provider that could carry it now, or as soon as it has a line, after its own. */
  hasNext(row: AttemptRow): boolean {
    const tried = row.provider_id === null ? triedOf(row) : [...triedOf(row), row.provider_id];
    return chooseProvider(row, tried, this.#context).kind !== 'none';
  }

  /** Whether a provider was not asked that could carry it at another time. */
  hasUnasked(row: AttemptRow): boolean {
    return hasUnasked(row, triedOf(row), this.#context);
  }

  /** Returns the row with its provider or why there is none, or `wait` if all that could carry it are at their capacity. */
  assign<R extends AttemptRow>(row: R): Assigned<R> | 'wait' {
    const decided = this.#decided(row);
    if (decided !== undefined) return isHere(decided, this.#context) ? { ...row, unserved: undefined } : 'wait';
    const choice = this.choose(row);
    if (choice.kind === 'wait') return 'wait';
    if (choice.kind === 'none') return { ...row, provider_id: null, unserved: choice.reason };
    this.#count(choice.provider.id);
    return { ...row, provider_id: choice.provider.id, unserved: undefined };
  }

  /** The provider that the decision to make the attempt has counted on, as long as it may carry it. */
  #decided({ provider_id }: AttemptRow): Provider | undefined {
    const { providers, goneNodes: gone } = this.#context;
    const provider = providers.find(({ id }) => id === provider_id);
    return provider?.isEnabled && !isGone(provider, gone) ? provider : undefined;
  }

  /**
   * Leaves an attempt that another node has lost with its provider, which may know what became of it; returns `wait` if only
   * other nodes can open that.
   */
  keep<R extends AttemptRow>(row: R): Assigned<R> | 'wait' {
    const known = this.#context.providers.find(({ id }) => id === row.provider_id);
    if (known !== undefined) return this.#context.elsewhere?.has(known.id) ? 'wait' : { ...row, unserved: undefined };
    const assigned = this.assign(row);
    return assigned === 'wait' ? { ...row, provider_id: null, unserved: 'down' } : assigned;
  }

  #count(id: number): void {
    const use = this.#uses.get(id);
    if (use === undefined) return;
    const { inUse, lastSecond, today } = use;
    this.#uses.set(id, { ...use, inUse: inUse + 1, lastSecond: lastSecond + 1, today: today + 1 });
  }
}

/** Counts only what a limit or a circuit breaker needs. */
export async function loadUses(
  tx: ReadTx,
  now: Instant,
  { providers, policy }: Pick<CallConfiguration, 'providers' | 'policy'>,
  waiting?: readonly number[],
): Promise<Map<number, ProviderUse>> {
  const health = await loadHealth(tx);
  const hasLimits = providers.some(({ lines }) => lines !== undefined);
  const isDown = [...health.values()].some(({ state }) => state === 'down');
  const inUse = hasLimits || isDown ? await countInUse(tx, waiting ?? (await lapsedSuspects(tx, now))) : [];
  const hasRates = providers.some(({ perSecond }) => perSecond !== undefined);
  const begun = hasRates ? await tx.all(selectBegun, { since: now - 1_000 }) : [];
  const hasDays = providers.some(({ perDay }) => perDay !== undefined);
  const today = hasDays ? (await usedToday(tx, now, policy.timeZone)).deliveries : [];
  const countToday = (id: number): number =>
    today.filter(({ providerId }) => providerId === id).reduce((sum, { count }) => sum + count, 0);
  return new Map(
    providers.map(({ id }) => [
      id,
      {
        health: health.get(id) ?? unknownHealth,
        inUse: Number(inUse.find(({ provider_id }) => provider_id === id)?.count ?? 0),
        lastSecond: Number(begun.find(({ provider_id }) => provider_id === id)?.count ?? 0),
        today: countToday(id),
      },
    ]),
  );
}

function countInUse(tx: ReadTx, waiting: readonly number[]) {
  return tx.all(selectInUse, { hidden: JSON.stringify(waiting) });
}

/** Calls that were under way when the server ended, and are to be begun again after the others: no line is used by them. */
async function lapsedSuspects(tx: ReadTx, now: Instant): Promise<readonly number[]> {
  const suspects = await tx.all(selectSuspectAttempts, {});
  return suspects.flatMap(({ id, lease_until }) => (lease_until !== null && lease_until <= now ? [id] : []));
}

/** A provider that was asked in vain; earlier versions noted no outcome. */
export type Tried = { readonly id: number; readonly outcome?: string; readonly reason?: string };

export function triesByProvider({ tried_providers }: Pick<AttemptRow, 'tried_providers'>): readonly Tried[] {
  const stored = JSON.parse(tried_providers) as readonly (Tried | number)[];
  return stored.map((one) => (typeof one === 'number' ? { id: one } : one));
}

export function triedOf(row: Pick<AttemptRow, 'tried_providers'>): readonly number[] {
  return triesByProvider(row).map(({ id }) => id);
}

const selectBegun = statement((db, args: { since: Instant }) =>
  db
    .selectFrom('call_attempts')
    .select(({ fn }) => ['provider_id', fn.countAll().as('count')])
    .where('provider_id', 'is not', null)
    .where('created_at', '>', args.since)
    .groupBy('provider_id'),
);
