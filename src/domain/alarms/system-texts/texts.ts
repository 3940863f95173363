// The catalogue of what system alarms say: codes with their parameters, which are stored as JSON, and the words of a language for
// each. Pure.

import { providerReasonIn } from '../../channels/words/catalogue.ts';
import type { ProviderReason } from '../../channels/words/provider-reason.ts';
import type { Language } from '../../language.ts';
import type { WorkKind } from '../../quarantine.ts';

/** A length of time, rounded to one unit. */
export type RoundedTime = { readonly amount: number; readonly unit: 'd' | 'h' | 'min' | 's' };

/** An alarm that a line of a growing text is about. */
type AboutAlarm = { readonly alarmId: number; readonly alarm: string };

/** A text that grows by lines, up to a length; `hasMore`: lines were left out. */
type Growing<L> = { readonly lines: readonly L[]; readonly hasMore: boolean };

/** `reason` is in English; `why`, which earlier versions do not store, is worded. */
type Because = { readonly reason: string; readonly why?: ProviderReason };
type OfProvider = Because & { readonly provider: string };
type OfChannel = Because & { readonly channel: string };
type OfCalendar = { readonly scheduleId: number; readonly schedule: string };

/** Which scripts a node has, each with the pattern of its parameter; null: it has no folder of scripts. */
type ScriptsOfNode = {
  readonly node: string;
  readonly scripts: readonly (readonly [id: number, pattern: string | null])[] | null;
};

/** An empty name is that of somebody, or something, that was removed. Reasons and problems are sentences as they came. */
type Called = {
  readonly kind: 'group' | 'user' | 'last-resort' | 'number';
  readonly id: number;
  readonly name: string;
};

/**
 * The parameters of each code. Alarms are stored with them and older nodes read them, so a code keeps its parameters: a text that
 * needs others is a new code. Times are milliseconds since 1970, and nothing is undefined, which JSON does not have.
 */
export type SystemTextParameters = {
  'attempt-failed': { readonly userId: number; readonly name: string };
  /** It was under way when the server ended without being stopped, again and again. */
  'attempt-given-up': { readonly userId: number; readonly name: string };
  auditor: {
    readonly count: number;
    readonly kinds: readonly { readonly kind: string; readonly count: number }[];
  };
  'backup-old': {
    readonly goodAt: number;
    readonly folder: string;
    /** When the one began that does not end; null if none does so. */
    readonly stuckSince: number | null;
    /** Why the last one failed, without a full stop; empty if it did not. */
    readonly problem: string;
  };
  'bad-number': { readonly name: string; readonly channel: string };
  budget: { readonly cost: string; readonly budgetDay: number };
  /** Everybody who can be called for it was called, and nobody took an alarm. */
  'called-in-vain': Called;
  'cannot-be-used': { readonly actor: string } & Growing<AboutAlarm & { readonly sentence: string }>;
  'channel-down': OfChannel;
  chattering: { readonly actor: string } & Growing<AboutAlarm>;
  clock: { readonly direction: 'forward' | 'back'; readonly seconds: number };
  command: AboutAlarm & { readonly scriptId: number; readonly detail: string };
  'disk-low': { readonly node: string; readonly percent: number };
  'duty-locked': Called;
  'events-delayed': { readonly node: string; readonly seconds: number };
  'few-descriptors': { readonly node: string; readonly open: number; readonly limit: number };
  'holidays-left-out': OfCalendar & { readonly count: number; readonly first: string };
  'holidays-unread': OfCalendar & { readonly problem: string };
  'intake-refused': {
    readonly actor: string;
    readonly name: string;
    readonly route: string;
    readonly reason: string;
    readonly code: string;
    readonly address: string;
  };
  'key-expiring': { readonly keyId: number; readonly name: string; readonly days: number };
  'no-free-line': { readonly channel: string };
  'nobody-on-call': Called;
  'no-attempts': Record<string, never>;
  'not-served': OfChannel;
  /** `why`: that of a ProviderChoice without a provider. */
  'no-way': {
    readonly channel: string;
    readonly why: 'not-set-up' | 'switched-off' | 'not-served' | 'down' | 'limited';
  };
  'provider-down': OfProvider;
  'provider-mailbox': OfProvider;
  'provider-refused': OfProvider & { readonly isSpoken: boolean };
  'provider-ring-in': OfProvider;
  'provider-voice': OfProvider;
  /** A node cannot open them, and others can. */
  'providers-unopened': { readonly node: string; readonly providers: readonly string[] };
  'purge-waits': { readonly clock: number; readonly days: number };
  'refusal-not-kept': Growing<{ readonly caller: string; readonly route: string; readonly code: string }>;
  'scripts-differ': { readonly nodes: readonly ScriptsOfNode[] };
  'set-aside-acknowledgement': Record<string, never>;
  'set-aside-alarm': { readonly alarmId: number };
  'set-aside-call': Called;
  'set-aside-move': Record<string, never>;
  'source-silent': {
    readonly kind: 'key' | 'dataServer';
    readonly id: number;
    readonly name: string;
    readonly silentFor: RoundedTime;
    readonly usually: RoundedTime;
  };
  'store-damaged': Record<string, never>;
  'tags-not-moved': {
    readonly count: number;
    readonly from: number;
    readonly to: number;
    readonly toName: string;
    /** Some of the shared paths. */
    readonly paths: readonly string[];
  };
  /** The thread of telephone calls of a node has ended by a fault. */
  'telephony-ended': { readonly node: string };
  /** Work that was under way when the server ended without being stopped, again and again. */
  'work-given-up': { readonly kind: Exclude<WorkKind, 'attempt'>; readonly id: number };
};

export type SystemTextCode = keyof SystemTextParameters;

/** What a system alarm says: a code with its parameters. */
export type SystemText = {
  readonly [C in SystemTextCode]: { readonly code: C; readonly parameters: SystemTextParameters[C] };
}[SystemTextCode];

/** The texts of one language. */
export type SystemTextWords = { readonly [C in SystemTextCode]: (parameters: SystemTextParameters[C]) => string };

/** Returns why in the language, of an earlier version as it was stored. */
export function becauseIn(language: Language, { reason, why }: Because): string {
  return why === undefined ? reason : providerReasonIn(language, why);
}

/** Returns the lines of a growing text. */
export function linesOf<L>({ lines, hasMore }: Growing<L>, line: (one: L) => string, more: string): string {
  return [...lines.map(line), ...(hasMore ? [more] : [])].join('\n');
}
