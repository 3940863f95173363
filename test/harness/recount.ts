// What the server derives from the history and keeps beside it, rebuilt from the rows alone and set beside what is kept.

import type { AlarmDefinition } from '../../src/domain/alarm-definition.ts';
import { distinctWords, searchableText } from '../../src/domain/search.ts';
import { stepsOf } from '../../src/domain/time-ladder.ts';
import type { RowOf, TableReader } from './table-rows.ts';

type Entry = RowOf<'alarm_histories'>;

/** A line for each row. */
type Derived = { readonly kept: readonly string[]; readonly rebuilt: readonly string[] };

export type Recount = {
  /** How many rows were rebuilt. */
  readonly rows: number;
  /** Lines that are kept and should not be, and that should be and are not: the first few. */
  readonly wrong: readonly string[];
  readonly missing: readonly string[];
};

const shown = 8;

/** By what is compared. */
export async function recount(tables: TableReader): Promise<Readonly<Record<string, Recount>>> {
  return Object.fromEntries(Object.entries(await derivedFrom(tables)).map(([name, lines]) => [name, compared(lines)]));
}

function compared({ kept, rebuilt }: Derived): Recount {
  const beyond = (lines: readonly string[], others: ReadonlySet<string>) => lines.filter((line) => !others.has(line));
  return {
    rows: rebuilt.length,
    wrong: beyond(kept, new Set(rebuilt)).slice(0, shown),
    missing: beyond(rebuilt, new Set(kept)).slice(0, shown),
  };
}

async function derivedFrom(tables: TableReader): Promise<Readonly<Record<string, Derived>>> {
  const entries = byId(await tables.all('alarm_histories'));
  const texts = new Map((await tables.all('history_texts')).map((text) => [text.id, text]));
  const alarms = await tables.all('alarms');
  return {
    history_counts: {
      kept: lines(await tables.all('history_counts')),
      rebuilt: lines(entryCounts(entries)),
    },
    intervention_counts: {
      kept: lines(await tables.all('intervention_counts')),
      rebuilt: lines(interventionCounts(entries)),
    },
    'nth and active_before': {
      kept: lines(entries.map(({ id, nth, active_before }) => ({ id, nth, active_before }))),
      rebuilt: lines(runningSums(entries)),
    },
    history_series: series(entries, await tables.all('history_series'), alarms),
    alarms: sums(entries, alarms),
    alarm_words: {
      kept: lines(await tables.all('alarm_words')),
      rebuilt: lines(alarms.flatMap(wordsOfAlarm)),
    },
    'words of alarms': {
      kept: lines(alarms.map(({ id, words }) => ({ id, words }))),
      rebuilt: lines(alarms.map((alarm) => ({ id: alarm.id, words: searchableText(...textsOf(alarm)) }))),
    },
    history_text_words: {
      kept: lines(await tables.all('history_text_words')),
      rebuilt: lines(
        [...texts.values()].flatMap(({ id, tag_name, message }) =>
          distinctWords(tag_name, message).map((word) => ({ text_id: id, word })),
        ),
      ),
    },
    history_comment_words: {
      kept: lines(await tables.all('history_comment_words')),
      rebuilt: lines(
        entries.flatMap(({ id, text_id, comment }) => {
          const { tag_name = '', message = '' } = texts.get(text_id) ?? {};
          const words = comment === '' ? [] : distinctWords(tag_name, message, comment);
          return words.map((word) => ({ history_id: id, word }));
        }),
      ),
    },
  };
}

function byId(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((a, b) => a.id - b.id);
}

function lines(rows: readonly object[]): readonly string[] {
  return rows.map(line);
}

function line(row: object): string {
  const columns = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
  return columns.map(([column, value]) => `${column}=${value}`).join(' ');
}

function keysOf({ raised_at, station_id, data_server_id, tag_group_id }: Entry) {
  const place = { station_id, data_server_id, tag_group_id: tag_group_id ?? 0 };
  return stepsOf(raised_at).map((step) => ({ ...step, ...place }));
}

function entryCounts(entries: readonly Entry[]): readonly object[] {
  const counts = new Map<string, { entries: number; min_id: number; max_id: number }>();
  for (const entry of entries) {
    for (const key of keysOf(entry)) {
      const name = line(key);
      const count = counts.get(name) ?? { ...key, entries: 0, min_id: entry.id, max_id: entry.id };
      counts.set(name, { ...count, entries: count.entries + 1, max_id: entry.id });
    }
  }
  return [...counts.values()];
}

function interventionCounts(entries: readonly Entry[]): readonly object[] {
  const none = { interventions: 0, reaction_ms: 0, finished: 0, intervention_ms: 0 };
  const counts = new Map<string, typeof none>();
  for (const entry of entries) {
    const { ack_user_id: user_id, ack_at, raised_at, reset_at } = entry;
    if (user_id === null || ack_at === null) continue;
    const took = reset_at !== null && reset_at >= ack_at ? reset_at - ack_at : undefined;
    for (const place of keysOf(entry)) {
      const key = { ...place, user_id };
      const name = line(key);
      const count = counts.get(name) ?? { ...key, ...none };
      counts.set(name, {
        ...count,
        interventions: count.interventions + 1,
        reaction_ms: count.reaction_ms + ack_at - raised_at,
        finished: count.finished + (took === undefined ? 0 : 1),
        intervention_ms: count.intervention_ms + (took ?? 0),
      });
    }
  }
  return [...counts.values()];
}

/** Of each alarm, how many occurrences it had up to each one, and how long those before it were active. */
function runningSums(entries: readonly Entry[]): readonly object[] {
  const sums = new Map<number, { nth: number; activeMs: number }>();
  return entries.map(({ id, alarm_id, raised_at, reset_at }) => {
    const { nth, activeMs } = sums.get(alarm_id) ?? { nth: 0, activeMs: 0 };
    sums.set(alarm_id, { nth: nth + 1, activeMs: activeMs + (reset_at ?? raised_at) - raised_at });
    return { id, nth: nth + 1, active_before: activeMs };
  });
}

function series(
  entries: readonly Entry[],
  kept: readonly RowOf<'history_series'>[],
  alarms: readonly RowOf<'alarms'>[],
): Derived {
  const goingOn = new Set(alarms.map(({ series_id }) => series_id));
  const rebuilt = new Map<number, object & { last_raised: number }>();
  const newest = new Map<number, number>();
  for (const { alarm_id, station_id, data_server_id, tag_group_id, series_id, raised_at } of entries) {
    const place = { id: series_id, alarm_id, station_id, data_server_id, tag_group_id };
    const known = rebuilt.get(series_id);
    // One that came back after another one of its alarm, or is in two places, is not one stretch.
    const isOneStretch = known === undefined || newest.get(alarm_id) === series_id;
    const row = { first_raised: raised_at, ...known, ...place, last_raised: raised_at };
    rebuilt.set(series_id, isOneStretch ? row : { ...row, last_raised: Number.NaN });
    newest.set(alarm_id, series_id);
  }
  const placesOfEntries = new Set(entries.map((entry) => `${entry.series_id} ${entry.tag_group_id}`));
  return {
    kept: lines(
      kept.map(({ ended_at, ...row }) => {
        const { last_raised = 0 } = rebuilt.get(row.id) ?? {};
        const isEnded = ended_at !== null;
        return { ...row, last_raised: isEnded ? ended_at : last_raised, isEndedTwice: isEnded && goingOn.has(row.id) };
      }),
    ).concat(`${placesOfEntries.size} places`),
    rebuilt: lines([...rebuilt.values()].map((row) => ({ ...row, isEndedTwice: false }))).concat(
      `${rebuilt.size} places`,
    ),
  };
}

/** What an alarm keeps of its occurrences. */
function sums(entries: readonly Entry[], alarms: readonly RowOf<'alarms'>[]): Derived {
  const rebuilt = new Map<number, { occurrences: number; active_ms: number; newest: Entry }>();
  for (const entry of entries) {
    const { occurrences = 0, active_ms = 0 } = rebuilt.get(entry.alarm_id) ?? {};
    const activeMs = (entry.reset_at ?? entry.raised_at) - entry.raised_at;
    rebuilt.set(entry.alarm_id, { occurrences: occurrences + 1, active_ms: active_ms + activeMs, newest: entry });
  }
  return {
    kept: lines(
      alarms.map(({ id, occurrences, active_ms, occurrence_id, raised_at, ack_time, ack_user_id, reset_time }) => {
        return { id, occurrences, active_ms, occurrence_id, raised_at, ack_time, ack_user_id, reset_time };
      }),
    ),
    rebuilt: lines(
      alarms.map(({ id }) => {
        const { occurrences = 0, active_ms = 0, newest } = rebuilt.get(id) ?? {};
        return {
          id,
          occurrences,
          active_ms,
          occurrence_id: newest?.id ?? null,
          raised_at: newest?.raised_at ?? null,
          ack_time: newest?.ack_at ?? null,
          ack_user_id: newest?.ack_user_id ?? null,
          reset_time: newest?.reset_at ?? null,
        };
      }),
    ),
  };
}

function textsOf({ path, name, definition, comment, value }: RowOf<'alarms'>): readonly string[] {
  const { alarm } = JSON.parse(definition) as AlarmDefinition;
  return [path, name, alarm.message, comment, value];
}

function wordsOfAlarm(alarm: RowOf<'alarms'>): readonly object[] {
  return distinctWords(...textsOf(alarm)).map((word) => ({ alarm_id: alarm.id, word }));
}
