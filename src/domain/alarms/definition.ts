// The definition of an alarm, and how a new report merges into it. Pure.

import type { AlarmRules } from './alarm.ts';
import type { SystemText } from './system-texts/texts.ts';

export type AlarmAction = {
  readonly type: string;
  readonly id: number;
  readonly scriptId: number;
  readonly parameter: string;
  readonly flags: number;
  /** Commands only: the requester had the scope `commands:run`. Internal: never sent or shown. */
  readonly allowed?: true;
  /** Calls only: the requester was bound to stations and cannot see the target. Internal: never sent or shown. */
  readonly foreign?: true;
};

export type Texts = {
  readonly message: string;
  readonly format: string;
  readonly shortMessage: string;
  readonly vocalMessageFile: string;
  readonly attachedFile: string;
  readonly actions: readonly AlarmAction[];
};

/** The fields of a definition that lists do not filter by; the filterable ones have columns of their own. */
export type AlarmDefinition = {
  readonly names: Readonly<Record<string, string>>;
  readonly temporary: boolean;
  readonly alarmDelay: number;
  readonly condition: {
    readonly value: string;
    readonly transitory: boolean;
    readonly reactivatable: boolean;
    readonly resettable: boolean;
  };
  /** Stored as sent; undefined if none was sent. */
  readonly location: unknown;
  /** What happens if nobody does anything, and what to do: texts for people. */
  readonly consequence: string;
  readonly instructions: string;
  readonly alarm: Texts;
  readonly reset: Texts;
  readonly ack: Texts;
  /**
   * What a system alarm says, of which `alarm.message` is the English wording; undefined for the alarms of sources, and for what
   * versions without it have stored. A node without it drops it with the next change, so that it never says something else.
   */
  readonly systemText: SystemText | undefined;
};

/** 1 is the most urgent. */
export const defaultPriority = 3;

const noTexts: Texts = {
  message: '',
  format: '',
  shortMessage: '',
  vocalMessageFile: '',
  attachedFile: '',
  actions: [],
};

export const emptyDefinition: AlarmDefinition = {
  names: {},
  temporary: false,
  alarmDelay: 0,
  condition: { value: '', transitory: false, reactivatable: false, resettable: true },
  location: undefined,
  consequence: '',
  instructions: '',
  alarm: noTexts,
  reset: noTexts,
  ack: noTexts,
  systemText: undefined,
};

/** Fields that are present replace the old ones; absent fields stay unchanged. */
export type DefinitionChange = {
  readonly names?: Readonly<Record<string, string>>;
  readonly temporary?: boolean;
  readonly alarmDelay?: number;
  readonly condition?: Partial<AlarmDefinition['condition']>;
  readonly location?: unknown;
  readonly consequence?: string;
  readonly instructions?: string;
  readonly alarm?: Partial<Texts>;
  readonly reset?: Partial<Texts>;
  readonly ack?: Partial<Texts>;
  readonly systemText?: SystemText | undefined;
};

/**
 * Returns the same `old` object if nothing changes, as with most reports, so that callers can skip comparing,
 * serialising and storing it.
 */
export function changedDefinition(old: AlarmDefinition, change: DefinitionChange): AlarmDefinition {
  const parts: AlarmDefinition = {
    names: changedPart(old.names, change.names),
    temporary: change.temporary ?? old.temporary,
    alarmDelay: change.alarmDelay ?? old.alarmDelay,
    condition: changedFields(old.condition, change.condition),
    location: changedPart(old.location, change.location),
    consequence: change.consequence ?? old.consequence,
    instructions: change.instructions ?? old.instructions,
    alarm: changedFields(old.alarm, change.alarm),
    reset: changedFields(old.reset, change.reset),
    ack: changedFields(old.ack, change.ack),
    systemText: changedSystemText(old, change),
  };
  for (const part in parts)
    if (parts[part as keyof AlarmDefinition] !== old[part as keyof AlarmDefinition]) return parts;
  return old;
}

/**
 * Returns the definition with the default of every field that it lacks, as one stored by an earlier version does. Default
 * parts are shared with all other definitions, because many are held in memory.
 */
export function sharedDefinition(definition: DefinitionChange): AlarmDefinition {
  return changedDefinition(emptyDefinition, definition);
}

/** Another message that comes without a code replaces what the code said. */
function changedSystemText(old: AlarmDefinition, { alarm, systemText }: DefinitionChange): SystemText | undefined {
  if (systemText !== undefined) return changedPart(old.systemText, systemText);
  const isReworded = alarm?.message !== undefined && alarm.message !== old.alarm.message;
  return isReworded ? undefined : old.systemText;
}

function changedFields<T extends object>(old: T, change: Partial<T> = {}): T {
  for (const field in change) {
    if (changedPart(old[field], change[field]) !== old[field]) return { ...old, ...change };
  }
  return old;
}

function changedPart<T>(old: T, fresh: T | undefined): T {
  return fresh === undefined || isSame(fresh, old) ? old : fresh;
}

/** Compares two JSON values by content. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const fields = Object.keys(one);
  return fields.length === Object.keys(other).length && fields.every((field) => isSame(one[field], other[field]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export function rulesOf({ condition, temporary, alarmDelay }: AlarmDefinition): AlarmRules {
  const { transitory, reactivatable, resettable } = condition;
  return { transitory, reactivatable, resettable, temporary, alarmDelay };
}

/** Clients read the code as a 32-bit integer. */
const maxCode = 2_147_483_647;

/** Returns the alarm code that statistics use: the short message if it is a whole number in bounds, otherwise 0. */
export function codeOf({ alarm }: AlarmDefinition): number {
  return codeWithinBounds(/^\d{1,15}$/.test(alarm.shortMessage) ? Number(alarm.shortMessage) : 0);
}

/** Returns 0 for a code out of bounds, such as earlier versions stored. */
export function codeWithinBounds(code: number): number {
  return code >= 0 && code <= maxCode ? code : 0;
}
