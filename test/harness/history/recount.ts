// Rebuilds everything that the server derives from the history, from its rows alone, and compares it with the stored values.

import type { AlarmDefinition } from '../../../src/domain/alarms/definition.ts';
import { distinctWords, searchableText } from '../../../src/domain/search.ts';
import type { RowOf, TableReader } from '../stores/table-rows.ts';

type Entry = RowOf<'alarm_histories'>;

/** One line of text per row. */
type Derived = { readonly kept: readonly string[]; readonly rebuilt: readonly string[] };

export type Recount = {
  /** The number of rebuilt rows. */
  readonly rows: number;
  /** The first few stored lines that are wrong, and the first few rebuilt lines that are not stored. */
  readonly wrong: readonly string[];
  readonly missing: readonly string[];
};

const shown = 8;

/** Results by table or subject: the counts, which are many, are compared in SQL, the others in this process. */
export async function recount(tables: TableReader): Promise<Readonly<Record<string, Recount>>> {
  const found: Record<string, Recount> = {};
  for (const [name, { kept, rebuilt }] of Object.entries(countQueries)) {
    found[name] = await comparedIn(tables, kept, rebuilt);
  }
  for (const [name, derived] of Object.entries(await derivedFrom(tables))) found[name] = compared(derived);
  return found;
}

async function comparedIn(tables: TableReader, kept: string, rebuilt: string): Promise<Recount> {
  // Stored in tables: compared in both directions, each query would run twice.
  for (const [name, query] of Object.entries({ kept, rebuilt })) {
    await tables.run(`CREATE TEMPORARY TABLE ${name}_rows AS ${query}`);
  }
  const without = async (one: string, other: string) =>
    lines(await tables.select(`SELECT * FROM ${one} EXCEPT SELECT * FROM ${other} LIMIT ${shown}`));
  const [count] = await tables.select('SELECT count(*) AS rows FROM rebuilt_rows');
  const found = {
    rows: (count as { rows: number }).rows,
    wrong: await without('kept_rows', 'rebuilt_rows'),
    missing: await without('rebuilt_rows', 'kept_rows'),
  };
  for (const table of ['kept_rows', 'rebuilt_rows']) await tables.run(`DROP TABLE ${table}`);
  return found;
}

function compared({ kept, rebuilt }: Derived): Recount {
  const beyond = (lines: readonly string[], others: ReadonlySet<string>) => lines.filter((line) => !others.has(line));
  return {
    rows: rebuilt.length,
    wrong: beyond(kept, new Set(rebuilt)).slice(0, shown),
    missing: beyond(rebuilt, new Set(kept)).slice(0, shown),
  };
}

/** One query over all levels of the roll-up buckets. */
function eachLevel(query: (level: number, step: string) => string): string {
  return [0, 1, 2, 3].map((level) => query(level, `raised_at / ${3_600_000 * 8 ** level}`)).join(' UNION ALL ');
}

const parts = ['station_id', 'data_server_id', 'tag_group_id'];
const place = 'station_id, data_server_id, coalesce(tag_group_id, 0)';
const finished = 'CASE WHEN reset_at >= ack_at THEN';

const countQueries = {
  history_counts: {
    // A bucket whose entries have all been removed stays with a count of zero.
    kept: `SELECT level, step, station_id, data_server_id, tag_group_id, entries, min_id, max_id
      FROM history_counts WHERE entries <> 0`,
    rebuilt: eachLevel(
      (level, step) => `SELECT ${level} AS level, ${step} AS step, ${place} AS tag_group_id,
          count(*) AS entries, min(id) AS min_id, max(id) AS max_id
        FROM alarm_histories GROUP BY ${step}, ${place}`,
    ),
  },
  intervention_counts: {
    kept: `SELECT level, part, part_id, step, user_id, station_id, interventions, reaction_ms, finished, intervention_ms
      FROM intervention_counts WHERE interventions <> 0 OR finished <> 0`,
    rebuilt: eachLevel((level, step) =>
      parts
        .map(
          (
            column,
            part,
          ) => `SELECT ${level} AS level, ${part} AS part, ${column} AS part_id, ${step} AS step, ack_user_id,
            station_id AS station, count(*) AS interventions, sum(ack_at - raised_at) AS reaction_ms,
            sum(${finished} 1 ELSE 0 END) AS finished, sum(${finished} reset_at - ack_at ELSE 0 END) AS intervention_ms
            FROM alarm_histories WHERE ack_user_id IS NOT NULL AND ${column} IS NOT NULL
            GROUP BY ${step}, ack_user_id, station_id, ${column}`,
        )
        .join(' UNION ALL '),
    ),
  },
  'nth and active_before': {
    kept: 'SELECT id, nth, active_before FROM alarm_histories',
    rebuilt: `SELECT id, row_number() OVER earlier AS nth, sum(coalesce(reset_at, raised_at) - raised_at) OVER earlier
        - (coalesce(reset_at, raised_at) - raised_at) AS active_before
      FROM alarm_histories WINDOW earlier AS (PARTITION BY alarm_id ORDER BY id)`,
  },
};

async function derivedFrom(tables: TableReader): Promise<Readonly<Record<string, Derived>>> {
  const entries = byId(await tables.all('alarm_histories'));
  const texts = new Map((await tables.all('history_texts')).map((text) => [text.id, text]));
  const alarms = await tables.all('alarms');
  return {
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
    history_texts: textOwners(entries, [...texts.values()], alarms),
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

/** The alarm of each text, and its last entry when its alarm has got another text. */
function textOwners(
  entries: readonly Entry[],
  texts: readonly RowOf<'history_texts'>[],
  alarms: readonly RowOf<'alarms'>[],
): Derived {
  const entryOf = new Map(entries.map((entry) => [entry.text_id, entry]));
  const alarmOf = new Map(alarms.map((alarm) => [alarm.text_id, alarm]));
  return {
    kept: lines(texts.map(({ id, alarm_id, last_entry_id }) => ({ id, alarm_id, last_entry_id }))),
    rebuilt: lines(
      texts.map(({ id }) => {
        const [last, owner] = [entryOf.get(id), alarmOf.get(id)];
        return { id, alarm_id: owner?.id ?? last?.alarm_id, last_entry_id: owner === undefined ? last?.id : null };
      }),
    ),
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

type Stretch = {
  readonly first_raised: number;
  readonly last_raised: number;
  readonly longest_gap: number;
  /** 1, unless the alarm had another text in between or the text has entries of several locations. */
  readonly stretches: number;
};

const hourMs = 3_600_000;
const longestUnnotedMs = 8 * hourMs;

function series(
  entries: readonly Entry[],
  kept: readonly RowOf<'history_series'>[],
  alarms: readonly RowOf<'alarms'>[],
): Derived {
  const goingOn = new Set(alarms.map(({ series_id }) => series_id));
  const rebuilt = stretches(entries);
  return {
    kept: lines(
      kept.map(({ ended_at, noted_raise, ...row }) => {
        const { last_raised = 0 } = rebuilt.get(row.id) ?? {};
        const unnotedMs = last_raised - noted_raise;
        return {
          ...row,
          last_raised: ended_at ?? last_raised,
          stretches: 1,
          isNoted: unnotedMs >= 0 && unnotedMs < longestUnnotedMs,
          isEndedAndGoesOn: ended_at !== null && goingOn.has(row.id),
        };
      }),
    ),
    rebuilt: lines([...rebuilt.values()].map((row) => ({ ...row, isNoted: true, isEndedAndGoesOn: false }))),
  };
}

function stretches(entries: readonly Entry[]): ReadonlyMap<number, Stretch> {
  const found = new Map<number, Stretch>();
  const newest = new Map<number, Entry>();
  for (const entry of entries) {
    const { alarm_id, station_id, data_server_id, tag_group_id, series_id, raised_at } = entry;
    const place = { id: series_id, alarm_id, station_id, data_server_id, tag_group_id };
    const before = newest.get(alarm_id);
    const known = found.get(series_id);
    const { first_raised = raised_at, last_raised = raised_at, longest_gap = 0, stretches = 1 } = known ?? {};
    const goesOn = before?.series_id === series_id && before.tag_group_id === tag_group_id;
    found.set(series_id, {
      ...place,
      first_raised,
      last_raised: raised_at,
      longest_gap: Math.max(longest_gap, Math.ceil((raised_at - last_raised) / hourMs) * hourMs),
      stretches: stretches + (known === undefined || goesOn ? 0 : 1),
    });
    newest.set(alarm_id, entry);
  }
  return found;
}

/** The sums over its occurrences that each alarm stores. */
function sums(entries: readonly Entry[], alarms: readonly RowOf<'alarms'>[]): Derived {
  const rebuilt = new Map<number, { occurrences: number; active_ms: number; newest: Entry }>();
  const unacknowledged = new Map<number, number>();
  for (const entry of entries) {
    const { occurrences = 0, active_ms = 0 } = rebuilt.get(entry.alarm_id) ?? {};
    const activeMs = (entry.reset_at ?? entry.raised_at) - entry.raised_at;
    rebuilt.set(entry.alarm_id, { occurrences: occurrences + 1, active_ms: active_ms + activeMs, newest: entry });
    if (entry.ack_at === null && !unacknowledged.has(entry.alarm_id))
      unacknowledged.set(entry.alarm_id, entry.raised_at);
  }
  return {
    kept: lines(
      alarms.map(({ id, occurrences, active_ms, occurrence_id, raised_at, ack_time, ack_user_id, ...alarm }) => {
        const { reset_time, unacknowledged_since } = alarm;
        const times = { raised_at, ack_time, ack_user_id, reset_time, unacknowledged_since };
        return { id, occurrences, active_ms, occurrence_id, ...times };
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
          unacknowledged_since: unacknowledged.get(id) ?? null,
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
