// The report on the installation for administrators, and the health of a provider by half-hours. Pure.

import type { AlarmDefinition } from './alarms/definition.ts';
import type { CallingHealth } from './calls/calling-health.ts';
import type { ProviderState, ShownProvider } from './channels/provider.ts';
import type { Quarantined, Work } from './quarantine.ts';

export const halfHourMs = 1_800_000;
export const shownHalfHours = 48;

export type StateChange = { readonly at: number; readonly state: ProviderState };

/**
 * Returns the state of each half-hour, the newest last, which ends now: `down` if it was down at any time of it, `unknown`
 * if nothing is known of a part of it. `changes` are in the order of time and begin with the last one before the period,
 * if that is known.
 */
export function halfHours(changes: readonly StateChange[], now: number): readonly ProviderState[] {
  const begin = now - shownHalfHours * halfHourMs;
  return Array.from({ length: shownHalfHours }, (_, index) => {
    const from = begin + index * halfHourMs;
    const states = statesWithin(changes, from, from + halfHourMs);
    if (states.includes('down')) return 'down';
    return states.includes('unknown') ? 'unknown' : 'up';
  });
}

/** The states in a period: the one that it begins with, and those that it is changed to. */
function statesWithin(changes: readonly StateChange[], from: number, to: number): readonly ProviderState[] {
  const first = changes.findLast(({ at }) => at <= from)?.state ?? 'unknown';
  return [first, ...changes.filter(({ at }) => at > from && at <= to).map(({ state }) => state)];
}

/** Counts of attempts by outcome; `underWay` and `delivered` are those without one. */
export type OutcomeCount = { readonly outcome: string; readonly count: number };

/** The last check of a provider by this node; `reason` says why the provider could not be used. */
export type ProviderCheck = { readonly at: number; readonly reason: string | undefined };

export type ProviderReport = ShownProvider & {
  readonly halfHours: readonly ProviderState[];
  readonly lastHour: readonly OutcomeCount[];
};

type NodeReport = {
  readonly id: string;
  readonly address: string;
  readonly seenAt: number;
  /** The scripts that the node can run; undefined if it has no folder of them. */
  readonly scriptIds: readonly number[] | undefined;
  /** The providers that the node cannot use, and why, for administrators. */
  readonly unopened: readonly { readonly providerId: number; readonly reason: string }[];
};

/** Work that fails because of a fault in Tocsin, by the alarm that says so. */
export type SetAside = {
  readonly alarmId: number;
  readonly definition: Pick<AlarmDefinition, 'alarm' | 'systemText'>;
  /** When it is tried again; undefined for work that was given up. */
  readonly retryAt: number | undefined;
};

export type StoredReport = {
  readonly nodes: readonly NodeReport[];
  readonly databaseBytes: number;
  readonly providers: readonly ProviderReport[];
  /** Work that was under way when the server ended unexpectedly; `user`: who was called, if somebody was. */
  readonly quarantine: readonly (Work & Quarantined & { readonly user: string })[];
  readonly setAside: readonly SetAside[];
  /** The attempts of the last hour on each channel, also those that no provider carried. */
  readonly lastHour: readonly (OutcomeCount & { readonly channel: string })[];
};

export type Heartbeat = { readonly at: number; readonly problem: string | undefined };

export type Certificate = { readonly subject: string; readonly issuer: string; readonly expiresAt: number };

export type SystemReport = {
  readonly stored: StoredReport;
  readonly startedAt: number;
  readonly nodeId: string;
  readonly database: { readonly kind: string; readonly latencyMs: number | undefined };
  /** Undefined if the disk cannot be asked. */
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | undefined;
  readonly calling: CallingHealth;
  /** By the id of the provider. */
  readonly checks: ReadonlyMap<number, ProviderCheck>;
  readonly hasHeartbeat: boolean;
  readonly lastHeartbeat: Heartbeat | undefined;
  /** Undefined if this server itself serves no TLS. */
  readonly certificate: Certificate | undefined;
  readonly settings: readonly {
    readonly name: string;
    readonly value: string | undefined;
    readonly isSecret: boolean;
  }[];
};
