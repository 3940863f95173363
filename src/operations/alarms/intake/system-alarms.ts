// Tocsin's own alarms, which show everyone what it cannot do until somebody acknowledges them: built as reports like any other.

import { systemCaller } from '../../../domain/access/access.ts';
import { isLastingAt } from '../../../domain/alarms/own-alarms.ts';
import type { Instant, Job } from '../../../store/store.ts';
import type { AlarmRecord } from '../record.ts';
import type { AlarmReport } from './report-message.ts';

export type SystemAlarm = {
  /** Whether the alarm lasts until it is reported as over follows from its path: domain/alarms/own-alarms.ts. */
  readonly path: string;
  readonly stationId?: number;
  readonly priority?: number;
  readonly message: string;
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
        alarm: { message, actions: isCalled ? [callLastResort] : [] },
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
  const lines = unusable.map((sentence) => `Alarm ${alarm.id}, "${alarm.name}": ${sentence}.`);
  return {
    path: `cannot-be-used/${actor}`,
    stationId: alarm.stationId,
    message: grownText(
      `Part of what ${actor} sends cannot be used, so others may be called than it asks for.`,
      lines.join('\n'),
    ),
    isGrowing: true,
  };
}

/** Builds the system alarm about a caller that sends more than its share, of which one record is kept instead of many. */
export function overBudgetAlarm(actor: string, sentence: string, alarm: AlarmRecord): SystemAlarm {
  return {
    path: `over-budget/${actor}`,
    stationId: alarm.stationId,
    message: grownText(
      `${actor} sends more than one source may have stored; what is beyond that is collapsed.`,
      `Alarm ${alarm.id}, "${alarm.name}": ${sentence}.`,
    ),
    isGrowing: true,
  };
}

/** Long enough for some dozens of lines; nobody reads more. */
const longestText = 4_000;
const more = 'There is more of this kind.';

/** Adds the lines that a text does not have yet. */
export function grownText(text: string, added: string): string {
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
