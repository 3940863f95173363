// What an alarm is defined as, and how a new message about it changes that. Pure.

import type { AlarmRules } from './alarm.ts';

export type AlarmAction = {
  readonly type: string;
  readonly id: number;
  readonly scriptId: number;
  readonly parameter: string;
  readonly flags: number;
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

export function changedDefinition(old: AlarmDefinition, change: DefinitionChange): AlarmDefinition {
  return {
    names: change.names ?? old.names,
    temporary: change.temporary ?? old.temporary,
    alarmDelay: change.alarmDelay ?? old.alarmDelay,
    condition: { ...old.condition, ...change.condition },
    location: change.location ?? old.location,
    alarm: { ...old.alarm, ...change.alarm },
    reset: { ...old.reset, ...change.reset },
    ack: { ...old.ack, ...change.ack },
  };
}

export function rulesOf({ condition, temporary, alarmDelay }: AlarmDefinition): AlarmRules {
  const { transitory, reactivatable, resettable } = condition;
  return { transitory, reactivatable, resettable, temporary, alarmDelay };
}

/** The code of statistics: the short message when that is a whole number. */
export function codeOf({ alarm }: AlarmDefinition): number {
  return /^\d{1,10}$/.test(alarm.shortMessage) ? Math.min(Number(alarm.shortMessage), 4_294_967_295) : 0;
}
