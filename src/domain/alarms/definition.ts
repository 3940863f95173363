// What an alarm is defined as, and how a new message about it changes that. Pure.

import type { AlarmRules } from './alarm.ts';

export type AlarmAction = {
  readonly type: string;
  readonly id: number;
  readonly scriptId: number;
  readonly parameter: string;
  readonly flags: number;
  /** Of a command: whoever asked for it had the scope `commands:run`. Never sent or shown. */
  readonly allowed?: true;
  /** Of a call: whoever asked for it was bound to stations and does not see whom it names. Never sent or shown. */
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

/** Everything a definition holds besides what lists filter by, which has columns of its own. */
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
  /** As it was sent; undefined when none was. */
  readonly location: unknown;
  readonly alarm: Texts;
  readonly reset: Texts;
  readonly ack: Texts;
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
  alarm: noTexts,
  reset: noTexts,
  ack: noTexts,
};

/** What is given replaces, what is absent stays. */
export type DefinitionChange = {
  readonly names?: Readonly<Record<string, string>>;
  readonly temporary?: boolean;
  readonly alarmDelay?: number;
  readonly condition?: Partial<AlarmDefinition['condition']>;
  readonly location?: unknown;
  readonly alarm?: Partial<Texts>;
  readonly reset?: Partial<Texts>;
  readonly ack?: Partial<Texts>;
};

/** `old` itself when nothing changes, as with most reports: who asks then need not compare, print or store it. */
export function changedDefinition(old: AlarmDefinition, change: DefinitionChange): AlarmDefinition {
  const parts = {
    names: changedPart(old.names, change.names),
    temporary: change.temporary ?? old.temporary,
    alarmDelay: change.alarmDelay ?? old.alarmDelay,
    condition: changedFields(old.condition, change.condition),
    location: changedPart(old.location, change.location),
    alarm: changedFields(old.alarm, change.alarm),
    reset: changedFields(old.reset, change.reset),
    ack: changedFields(old.ack, change.ack),
  };
  const isOld =
    parts.names === old.names &&
    parts.temporary === old.temporary &&
    parts.alarmDelay === old.alarmDelay &&
    parts.condition === old.condition &&
    parts.location === old.location &&
    parts.alarm === old.alarm &&
    parts.reset === old.reset &&
    parts.ack === old.ack;
  return isOld ? old : parts;
}

/** The same, with what it does not set shared with all others: many are held at once. */
export function sharedDefinition(definition: AlarmDefinition): AlarmDefinition {
  return changedDefinition(emptyDefinition, definition);
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

/** Whether two values of JSON say the same. */
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

/** The code of statistics: the short message when that is a whole number. */
export function codeOf({ alarm }: AlarmDefinition): number {
  // Plus 0, for -0 is no code of its own.
  return /^-?\d{1,15}$/.test(alarm.shortMessage) ? Number(alarm.shortMessage) + 0 : 0;
}
