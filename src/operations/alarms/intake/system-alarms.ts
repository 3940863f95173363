// Tocsin's own alarms, which show everyone what it cannot do until somebody acknowledges them: built as reports like any other.

import { systemCaller } from '../../../domain/access/access.ts';
import type { AlarmDefinition, DefinitionChange } from '../../../domain/alarms/definition.ts';
import { isLastingAt } from '../../../domain/alarms/own-alarms.ts';
import { englishOf, grownSystemText } from '../../../domain/alarms/system-texts/catalogue.ts';
import type { SystemText } from '../../../domain/alarms/system-texts/texts.ts';
import type { Instant, Job } from '../../../store/store.ts';
import type { AlarmRecord } from '../record.ts';
import type { AlarmReport } from './report-message.ts';

export type SystemAlarm = {
  /** Whether the alarm lasts until it is reported as over follows from its path: domain/alarms/own-alarms.ts. */
  readonly path: string;
  readonly stationId?: number;
  readonly priority?: number;
  /** What the alarm says; a sentence in English where the calling engine has composed it. */
  readonly message: SystemText | string;
  /** Whether to raise the alarm again while the previous one is not acknowledged. */
  readonly isRepeated?: true;
  /** Whether the lines of the message are added to those of an alarm that is not acknowledged yet. */
  readonly isGrowing?: true;
  /** Set where the cause of an alarm that would last is over already. */
  readonly isOver?: boolean;
  /** Whether the last resort is called. */
  readonly isCalled?: boolean;
};

/** A call action without an existing target, so that the last resort is called. */
const callLastResort = { type: 'CallGroup', id: 0, scriptId: 0, parameter: '', flags: 0 };

export function systemReport(now: Instant, alarm: SystemAlarm): Job<AlarmReport> {
  const { path, stationId, priority, message, isRepeated = false, isCalled = false } = alarm;
  const { isGrowing = false, isOver = false } = alarm;
  const isLasting = !isOver && isLastingAt(path);
  const isSentence = typeof message === 'string';
  return {
    now,
    input: {
      ...ownTag(path, stationId),
      priority,
      raised: true,
      change: {
        temporary: true,
        alarmDelay: 0,
        condition: { value: '', transitory: !isLasting, reactivatable: false, resettable: true },
        alarm: { message: isSentence ? message : englishOf(message), actions: isCalled ? [callLastResort] : [] },
        ...(isSentence ? {} : { systemText: message }),
      },
      ...(isRepeated || isLasting ? {} : { unlessAtRest: isGrowing ? 'grow' : 'ignore' }),
    },
  };
}

function ownTag(path: string, stationId: number | undefined) {
  return {
    caller: systemCaller,
    stationId,
    dataServerId: undefined,
    tagGroupId: undefined,
    path: `system/${path}`,
    priority: undefined,
    value: undefined,
  };
}

/** The fate of calls for a lasting alarm that is over. */
export type OwnCalls = 'end-calls' | 'as-policy-says';

/** Builds the report that a lasting alarm is over. */
export function overReport(now: Instant, path: string, stationId: number, calls: OwnCalls): Job<AlarmReport> {
  const ending = calls === 'end-calls' ? ({ endsCalls: true } as const) : {};
  return { now, input: { ...ownTag(path, stationId), raised: false, change: {}, ...ending } };
}

/**
 * Builds the system alarm about what a caller sent and cannot be used; one per caller and station, whose text grows, so
 * that a source with a thousand wrong alarms is named once.
 */
export function unusableAlarm(actor: string, unusable: readonly string[], alarm: AlarmRecord): SystemAlarm {
  const code = 'cannot-be-used';
  const lines = unusable.map((sentence) => ({ alarmId: alarm.id, alarm: alarm.name, sentence }));
  const empty = { actor, lines: [], hasMore: false };
  return {
    path: `cannot-be-used/${actor}`,
    stationId: alarm.stationId,
    message: grownSystemText({ code, parameters: empty }, { code, parameters: { ...empty, lines } }),
    isGrowing: true,
  };
}

/** Builds the system alarm about a caller that sends more than its share, of which one record is kept instead of many. */
export function chatteringAlarm(actor: string, alarm: AlarmRecord): SystemAlarm {
  const lines = [{ alarmId: alarm.id, alarm: alarm.name }];
  return {
    path: `over-budget/${actor}`,
    stationId: alarm.stationId,
    message: { code: 'chattering', parameters: { actor, lines, hasMore: false } },
    isGrowing: true,
  };
}

/** Returns what an alarm says with the lines of another one of the same path. */
export function grownMessage(known: SystemAlarm['message'], added: SystemAlarm['message']): SystemAlarm['message'] {
  return typeof known === 'string' || typeof added === 'string' ? known : grownSystemText(known, added);
}

/** Returns the change that adds the lines of a report to an alarm that is not at rest. */
export function grownChange(known: AlarmDefinition, added: DefinitionChange): DefinitionChange {
  if (known.systemText === undefined || added.systemText === undefined)
    return { alarm: { message: grownText(known.alarm.message, added.alarm?.message ?? '') } };
  const systemText = grownSystemText(known.systemText, added.systemText);
  return systemText === known.systemText ? {} : { systemText, alarm: { message: englishOf(systemText) } };
}

/** Long enough for some dozens of lines; nobody reads more. */
const longestText = 4_000;
const more = 'There is more of this kind.';

/** Adds lines to the message of an alarm that a version without codes has raised. */
function grownText(text: string, added: string): string {
  const known = new Set(text.split('\n'));
  let grown = text;
  for (const line of added.split('\n')) {
    if (line === '' || known.has(line)) continue;
    if (known.has(more)) return grown;
    const next = grown.length + line.length > longestText ? more : line;
    known.add(next);
    grown = `${grown}\n${next}`;
  }
  return grown;
}
