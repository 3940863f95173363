// The providers that this node has open: follows their rows, checks them, and holds the leases that only one node may have.

import { setTimeout as pause } from 'node:timers/promises';
import type { OpenKind, OpenProvider } from '../../channels/channel.ts';
import { kindNamed } from '../../domain/channels/kinds/catalogue.ts';
import { isSimulated, type Provider } from '../../domain/channels/provider.ts';
import { type ProviderReason, reasonIn, storedReason } from '../../domain/channels/words/provider-reason.ts';
import type { ProviderCheck } from '../../domain/system-report.ts';
import { noteCheck } from '../../operations/providers/health.ts';
import { holdProviders, releaseProviders } from '../../operations/providers/leases.ts';
import { endRefusal } from '../../operations/providers/provider-alarms.ts';
import { listSealedProviders, type SealedProvider } from '../../operations/providers/queries.ts';
import { noteUnopened } from '../../operations/providers/unopened.ts';
import type { EventFeed } from '../../store/event-feed.ts';
import type { Store } from '../../store/store.ts';

const checkEveryMs = 30_000;
const checkTimeoutMs = 10_000;
/** For those to close that are switched off or removed; a thread or a peer that does not answer must not hold up the others. */
const closeWithinMs = 5_000;
const holdEveryMs = 2_000;
/** A lease that is not renewed can be taken over within the 15 s that a registration may be away. */
const leaseMs = 7_000;

export type PoolParts = {
  readonly store: Store;
  readonly feed: EventFeed;
  readonly nodeId: string;
  readonly nodeName: string;
  readonly hasSimulator: boolean;
  /** By the name of the kind. */
  readonly openers: Readonly<Record<string, OpenKind>>;
  /** Returns the readable secrets; throws an Error with the reason if the key does not fit. */
  readonly unseal: (secrets: string) => Readonly<Record<string, string>>;
  /** For the log: a provider went down or works again. */
  readonly onHealth: (change: { readonly provider: string; readonly state: string; readonly reason: string }) => void;
  /** For the log: a provider refuses messages for its settings. */
  readonly onRefusal: (refusal: { readonly provider: string; readonly reason: string }) => void;
  /** For the log: this node cannot open a provider. */
  readonly onUnopened: (unopened: { readonly provider: string; readonly reason: string }) => void;
  readonly onTrouble: (error: unknown) => void;
};

type Entry = {
  readonly provider: Provider;
  /** The row it was opened from. */
  readonly row: string;
  readonly open: OpenProvider | undefined;
  /** The stored reason why it could not be opened; empty if it is open. */
  readonly problem: string;
  isHeld: boolean;
  /** Why it refused a message last; undefined if it has refused none since it was opened. */
  refusal: string | undefined;
};

export class ProviderPool {
  readonly #parts: PoolParts;
  #entries: ReadonlyMap<number, Entry> = new Map();
  #syncing: Promise<void> = Promise.resolve();
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #unsubscribe: () => void;
  /** The providers that this node cannot open, and another can. */
  #elsewhere: ReadonlySet<number> = new Set();
  #hasUnopened = false;
  readonly #checks = new Map<number, ProviderCheck>();
  #isClosed = false;

  private constructor(parts: PoolParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.feed.subscribe(({ kind, subjectId, data }) => {
      if (kind === 'provider.health') this.#tellHealth(subjectId, String(data.state), String(data.reason));
      if (/^provider\.(created|changed|removed)$/.test(kind)) void this.#follow().catch(parts.onTrouble);
    }, 'but-frequent');
    this.#timers = [
      setInterval(() => void this.checkAll(), checkEveryMs),
      setInterval(() => void this.#hold().catch(parts.onTrouble), holdEveryMs),
    ];
    for (const timer of this.#timers) timer.unref();
  }

  static async open(parts: PoolParts): Promise<ProviderPool> {
    const pool = new ProviderPool(parts);
    await pool.sync();
    return pool;
  }

  get(id: number): OpenProvider | undefined {
    return this.#entries.get(id)?.open;
  }

  /** Why a provider could not be opened; empty if it is open. */
  problemOf(id: number): string {
    return this.#entries.get(id)?.problem ?? storedReason({ code: 'provider-unknown' });
  }

  /** Whether its calls are left to another node: this one cannot open it. */
  isElsewhere(id: number): boolean {
    return this.#elsewhere.has(id);
  }

  providers(): readonly Provider[] {
    return [...this.#entries.values()].map(({ provider }) => provider);
  }

  poll(): void {
    for (const { open } of this.#entries.values()) open?.poll?.();
  }

  #tellHealth(id: number | undefined, state: string, reason: string): void {
    const provider = this.#entries.get(id ?? 0)?.provider.name ?? String(id);
    this.#parts.onHealth({ provider, state, reason });
  }

  /** Opens, reopens and closes providers as their rows say; one after the other. */
  sync(): Promise<void> {
    this.#syncing = this.#syncing.then(() => this.#readRows()).catch(this.#parts.onTrouble);
    return this.#syncing;
  }

  /** Checks every provider that is enabled, and stores what came of it. */
  async checkAll(): Promise<void> {
    // Another node that can open what this one cannot may have started or ended.
    await this.#noteUnopened().catch(this.#parts.onTrouble);
    const ids = [...this.#entries.values()]
      .filter(({ provider }) => provider.isEnabled)
      .map(({ provider }) => provider.id);
    await Promise.all(ids.map((id) => this.check(id).catch(this.#parts.onTrouble)));
  }

  /** The last check of each provider by this node. */
  get checks(): ReadonlyMap<number, ProviderCheck> {
    return this.#checks;
  }

  /** Checks one provider; returns why it cannot be used, undefined if it can. `isAsked`: by somebody, on request. */
  async check(id: number, isAsked = false): Promise<string | undefined> {
    await this.sync();
    const open = this.get(id);
    const reason = open === undefined ? this.problemOf(id) : await problemOf(open.check(within()));
    const of = open === undefined ? { unopenedOn: this.#parts.nodeId } : {};
    const check = { providerId: id, isUp: reason === undefined, reason: reason ?? '', isAsked, ...of };
    this.#checks.set(id, { at: await this.#parts.store.write(noteCheck, check), reason });
    return reason;
  }

  /** Checks one provider on request, also whether answers come in; returns what is wrong, undefined if nothing is. */
  async test(id: number): Promise<string | undefined> {
    await this.sync();
    const entry = this.#entries.get(id);
    if (entry?.provider.isEnabled === false) return this.#testSwitchedOff(entry);
    const problem = await this.check(id, true);
    if (problem !== undefined) return problem;
    await this.#parts.store.write(endRefusal, { providerId: id });
    return problemOf(this.get(id)?.checkReplies?.(within()));
  }

  /** Notes for the log that the provider refuses messages, once for each reason. */
  noteRefusal(id: number, reason: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.refusal === reason) return;
    entry.refusal = reason;
    this.#parts.onRefusal({ provider: entry.provider.name, reason });
  }

  /** Opens it for the test alone, and stores nothing about a provider by which nobody is called. */
  async #testSwitchedOff({ provider, row }: Entry): Promise<string | undefined> {
    const { secrets } = JSON.parse(row) as SealedProvider;
    const { open, problem } = this.#open({ provider: { ...provider, isEnabled: true }, secrets });
    if (open === undefined) return problem;
    try {
      return (await problemOf(open.check(within()))) ?? (await problemOf(open.checkReplies?.(within())));
    } finally {
      await open.close().catch(this.#parts.onTrouble);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    for (const timer of this.#timers) clearInterval(timer);
    await this.#syncing;
    await Promise.all([...this.#entries.values()].map(({ open }) => open?.close().catch(this.#parts.onTrouble)));
    this.#entries = new Map();
    await this.#parts.store.write(releaseProviders, { node: this.#parts.nodeId }).catch(this.#parts.onTrouble);
  }

  async #readRows(): Promise<void> {
    if (this.#isClosed) return;
    const rows = await this.#parts.store.read(listSealedProviders, {});
    const entries = new Map<number, Entry>();
    for (const row of rows) {
      const known = this.#entries.get(row.provider.id);
      entries.set(row.provider.id, this.#followed(known, row));
    }
    const gone = [...this.#entries.values()].filter(({ provider, open }) => entries.get(provider.id)?.open !== open);
    for (const { provider, problem } of unopenedIn(entries))
      if (this.#entries.get(provider.id)?.problem !== problem)
        this.#parts.onUnopened({ provider: provider.name, reason: problem });
    this.#entries = entries;
    await this.#noteUnopened();
    await this.#hold();
    const closed = Promise.all(gone.map(({ open }) => open?.close().catch(this.#parts.onTrouble)));
    await Promise.race([closed, pause(closeWithinMs, undefined, { ref: false })]);
  }

  /** Keeps a provider open that can go on with the row: nobody who is being called is cut off by a change. */
  #followed(known: Entry | undefined, row: SealedProvider): Entry {
    const next = JSON.stringify(row);
    if (known?.row === next) return known;
    if (known?.open === undefined || !row.provider.isEnabled) return this.#open(row);
    const { provider, secrets } = JSON.parse(known.row) as SealedProvider;
    const isSameKind = provider.kind === row.provider.kind && provider.channel === row.provider.channel;
    const isSame =
      JSON.stringify([provider.settings, secrets]) === JSON.stringify([row.provider.settings, row.secrets]);
    const kept = { ...known, provider: row.provider, row: next };
    if (isSameKind && isSame) return kept;
    if (!isSameKind || known.open.change === undefined) return this.#open(row);
    try {
      known.open.change(row.provider, this.#parts.unseal(row.secrets));
      return { ...kept, refusal: undefined };
    } catch {
      return this.#open(row);
    }
  }

  #open(row: SealedProvider): Entry {
    const { provider, secrets } = row;
    const entry = { provider, row: JSON.stringify(row), isHeld: false, refusal: undefined };
    const { hasSimulator, openers, unseal } = this.#parts;
    const unopened = (why: ProviderReason): Entry => ({ ...entry, open: undefined, problem: storedReason(why) });
    if (!provider.isEnabled) return unopened({ code: 'switched-off' });
    if (isSimulated(provider) && !hasSimulator) return unopened({ code: 'simulation-off' });
    const opener = openers[provider.kind];
    if (opener === undefined) return unopened({ code: 'kind-unknown', kind: provider.kind });
    try {
      return { ...entry, open: opener(provider, unseal(secrets)), problem: '' };
    } catch (error) {
      return { ...entry, open: undefined, problem: storedProblem(error) };
    }
  }

  async #follow(): Promise<void> {
    await this.sync();
    if (!this.#isClosed) await this.#hold();
  }

  /** Lets the other nodes carry the calls of providers that this one cannot open. */
  async #noteUnopened(): Promise<void> {
    const unopened = unopenedIn(this.#entries);
    if (unopened.length === 0 && !this.#hasUnopened) return;
    const { store, nodeId, nodeName } = this.#parts;
    const noted = unopened.map(({ provider: { id, name }, problem }) => ({ providerId: id, name, reason: problem }));
    this.#elsewhere = new Set(await store.write(noteUnopened, { node: nodeId, nodeName, unopened: noted }));
    this.#hasUnopened = unopened.length > 0;
  }

  /** Renews and takes leases; a provider tied to another node is left to it. */
  async #hold(): Promise<void> {
    const { store, nodeId, nodeName } = this.#parts;
    const wanted = [...this.#entries.values()].filter(
      ({ provider, open }) =>
        open !== undefined &&
        kindNamed(provider.kind)?.isHeld(provider.settings) === true &&
        (provider.node === undefined || provider.node === nodeName),
    );
    for (const entry of this.#entries.values()) {
      if (!entry.isHeld || wanted.includes(entry)) continue;
      entry.isHeld = false;
      entry.open?.setHeld?.(false);
    }
    if (wanted.length === 0) return;
    const providerIds = wanted.map(({ provider }) => provider.id);
    const held = await store
      .write(holdProviders, { providerIds, node: nodeId, leaseMs })
      .catch((): readonly number[] => []);
    for (const entry of wanted) {
      const isHeld = held.includes(entry.provider.id);
      if (isHeld === entry.isHeld) continue;
      entry.isHeld = isHeld;
      entry.open?.setHeld?.(isHeld);
    }
  }
}

/** The providers that should be open and are not; simulated phones may be switched off. */
function unopenedIn(entries: ReadonlyMap<number, Entry>): readonly Entry[] {
  return [...entries.values()].filter(
    ({ provider, open }) => provider.isEnabled && open === undefined && !isSimulated(provider),
  );
}

function within(): AbortSignal {
  return AbortSignal.timeout(checkTimeoutMs);
}

/** Returns why a check failed, undefined if it did not. */
async function problemOf(check: Promise<void> | undefined): Promise<string | undefined> {
  try {
    await check;
    return undefined;
  } catch (error) {
    return storedProblem(error);
  }
}

/** Providers throw stored reasons; what anything else says is quoted. */
function storedProblem(error: unknown): string {
  if (!(error instanceof Error)) return storedReason({ code: 'unusable' });
  const why = 'why' in error ? (error.why as ProviderReason) : reasonIn(error.message);
  return storedReason(why ?? { code: 'said', text: error.message });
}
