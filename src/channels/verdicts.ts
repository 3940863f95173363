// What an answer at a stage of a delivery means: whose fault it is, whether it is a try of the person, and what comes next.
// Each channel has one table of this form, and nothing else says what a failure means.

import type { Delivery } from '../domain/calls/delivery.ts';
import { type ProviderReason, storedReason } from '../domain/channels/words/provider-reason.ts';

export type Failed = Extract<Delivery, { kind: 'failed' }>;

export type Verdict = {
  /**
   * `person`: the person or their address; `provider`: its server, which counts for the circuit breaker; `settings`: what was
   * set up for the provider, which is an alarm; `limits`: nobody, the provider may or can not carry this one message;
   * `tocsin`: a fault of this server.
   */
  readonly blames: 'person' | 'provider' | 'settings' | 'limits' | 'tocsin';
  /** Whether it uses up a try of the number. */
  readonly isTry: boolean;
  /** `smaller`: the same provider is sent the message without its files, and the next one if it has none. */
  readonly next: 'again' | 'never' | 'next-provider' | 'smaller';
  readonly outcome: Failed['outcome'];
};

export type Stage = {
  /**
   * How far the message has come. At the `server` nothing can be the person's fault; at the `address` only an answer about the
   * address can, and neither silence nor a connection that was cut; at the `person` everything can.
   */
  readonly reaches: 'server' | 'address' | 'person';
  /** By the name of the answer: a status such as `550` or `5.1`, its class `5xx`, `silence`, `cut`, or a word of the channel. */
  readonly answers: Readonly<Record<string, Verdict>>;
  /** Every other answer. */
  readonly other: Verdict;
};

export type StageTable = Readonly<Record<string, Stage>>;

/** Verdicts that several channels have. */
export const down = { blames: 'provider', isTry: false, next: 'next-provider', outcome: 'providerDown' } as const;
export const refused = { blames: 'settings', isTry: false, next: 'next-provider', outcome: 'undeliverable' } as const;
export const badNumber = { blames: 'person', isTry: true, next: 'never', outcome: 'badNumber' } as const;
export const undeliverable = { blames: 'person', isTry: true, next: 'never', outcome: 'undeliverable' } as const;
export const ownFault = { blames: 'tocsin', isTry: true, next: 'again', outcome: 'failed' } as const;

/** `names` are those of one answer, the narrowest first; the first that the stage knows counts. */
export function verdictOf({ answers, other }: Stage, names: readonly string[]): Verdict {
  const name = names.find((each) => Object.hasOwn(answers, each));
  return (name === undefined ? undefined : answers[name]) ?? other;
}

/** The names of a status: itself, and its class such as `5xx`. */
export function statusNames(status: number): readonly string[] {
  return [String(status), `${Math.floor(status / 100)}xx`];
}

const faults = {
  provider: 'down',
  settings: 'refused',
  limits: 'barred',
  person: undefined,
  tocsin: undefined,
} as const;

/** Returns the outcome that the verdict stands for. */
export function failedBy({ blames, isTry, next, outcome }: Verdict, reason: ProviderReason): Failed {
  const fault = isTry ? undefined : faults[blames];
  // What no provider can carry, none will carry later.
  const isFinal = next === 'never' || blames === 'limits';
  return {
    kind: 'failed',
    retry: isFinal ? 'never' : 'later',
    outcome,
    ...(fault === undefined ? {} : { fault }),
    ...(blames === 'tocsin' ? { failure: 'own-fault' } : {}),
    reason: storedReason(reason),
  };
}

/** The outcome of a delivery that an error in Tocsin ended. */
export const internalFault = failedBy(ownFault, { code: 'internal-fault' });

/** Nobody is to blame: the delivery was given up here. */
export const cancelled: Failed = {
  kind: 'failed',
  retry: 'later',
  outcome: 'cancelled',
  reason: storedReason({ code: 'cancelled' }),
};
