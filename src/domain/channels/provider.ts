// A provider, the configured way out of a channel such as a SIP trunk or a mail server, and its health. Pure.

export type Provider = {
  readonly id: number;
  readonly name: string;
  /** The channel of numbers that it serves. */
  readonly channel: string;
  /** The kind of provider, such as `sip`; it decides what `settings` mean. */
  readonly kind: string;
  /** Of the providers of a channel, the lowest comes first. */
  readonly order: number;
  readonly isEnabled: boolean;
  /** The most deliveries at the same time, over all nodes; undefined: no limit. */
  readonly lines: number | undefined;
  /** The most deliveries begun within a second, over all nodes; undefined: no limit. */
  readonly perSecond: number | undefined;
  /** The most deliveries a day, except of priority 1; undefined: no limit. */
  readonly perDay: number | undefined;
  /** The cost of one delivery, in the currency of the budget of a day. */
  readonly cost: number;
  /** The prefixes of telephone numbers that it serves, such as `+33`; empty: all. */
  readonly countries: readonly string[];
  /** The only node that may use it, by the name of the node; undefined: any. */
  readonly node: string | undefined;
  readonly settings: Readonly<Record<string, unknown>>;
};

/** The kind whose phones are rows of the database. */
export const simulatorKind = 'simulator';

export function isSimulated({ kind }: Pick<Provider, 'kind'>): boolean {
  return kind === simulatorKind;
}

/** `unknown` before the first delivery or check. */
export type ProviderState = 'unknown' | 'up' | 'down';

/** When deliveries to an address first and last failed. */
export type FailedAddress = { readonly address: string; readonly first: number; readonly last: number };

export type ProviderHealth = {
  readonly state: ProviderState;
  /** When the state was entered. */
  readonly since: number;
  /** Deliveries and checks that failed since the last one that did not. */
  readonly failures: number;
  /** The addresses to which deliveries failed since; absent: none. */
  readonly failed?: readonly FailedAddress[];
  /** The earliest time at which a provider that is down is tried again. */
  readonly probeAt: number;
  /** Text for people; no rule reads it. */
  readonly reason: string;
};

export const unknownHealth: ProviderHealth = { state: 'unknown', since: 0, failures: 0, probeAt: 0, reason: '' };

/** A provider as stored, with the names of its secrets. */
export type StoredProvider = Provider & { readonly secrets: readonly string[]; readonly lastChange: number };

/** A provider with its present health and use. */
export type ShownProvider = {
  readonly provider: StoredProvider;
  readonly health: ProviderHealth;
  /** Deliveries under way on all nodes. */
  readonly inUse: number;
  /** The node that holds its registration or mailbox; undefined: none. */
  readonly heldBy: string | undefined;
};
