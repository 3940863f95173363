// Computes the lists of the history from all rows in the simplest way, to compare the responses of the interface with.

import { isFoundIn } from '../../../src/domain/search.ts';
import { printInstant } from '../../../src/wire/date-time.ts';
import { printAlarmIntervention } from '../../../src/wire/history/intervention.ts';
import { printAlarmHistory } from '../../../src/wire/history/occurrence.ts';
import { printAlarmStatistic } from '../../../src/wire/history/statistic.ts';
import type { RowOf, TableReader } from '../stores/table-rows.ts';
import { recountSeries, type SeriesAsked } from './recount-series.ts';

type Ids = readonly number[];

/** The fields that lists are sorted by, with the rows' fields that have them. */
const sortFields = {
  id: 'id',
  failureNumber: 'failureNumber',
  failureTotalTime: 'failureTotalMs',
  interventionNumber: 'interventionNumber',
} as const;

export type HistoryAsked = {
  readonly alarmId?: Ids | undefined;
  readonly stationId?: Ids | undefined;
  readonly dataServerId?: Ids | undefined;
  readonly tagGroupId?: Ids | undefined;
  readonly priority?: Ids | undefined;
  readonly userId?: number | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly search?: string | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly sort?: `${'+' | '-'}${keyof typeof sortFields}` | undefined;
  readonly view?: 'full' | undefined;
};

type Entry = RowOf<'alarm_histories'> & { readonly tag_name: string; readonly message: string };
type Page = { readonly items: readonly unknown[]; readonly total: number };

export type NaiveHistory = Readonly<
  Record<'histories' | 'statistics' | 'interventions', (asked: HistoryAsked, now: number) => Page>
> & { readonly series: (asked: HistoryAsked, how: SeriesAsked) => ReturnType<typeof recountSeries> };

export async function naiveHistory(tables: TableReader, timeZone: string): Promise<NaiveHistory> {
  const texts = new Map((await tables.all('history_texts')).map((text) => [text.id, text]));
  const entries: readonly Entry[] = (await tables.all('alarm_histories'))
    .map((entry) => {
      const { tag_name = '', message = '' } = texts.get(entry.text_id) ?? {};
      return { ...entry, tag_name, message };
    })
    .sort((a, b) => a.id - b.id);
  const servers = await tables.all('data_servers');
  const ownServers = new Set(servers.filter(({ is_system }) => is_system === 1).map(({ id }) => id));
  return {
    histories: (asked) =>
      page(entries.filter(matches(asked)), asked, (entry) => {
        const isSystem = ownServers.has(entry.data_server_id);
        return printed(entry, isSystem, timeZone, asked.view === 'full');
      }),
    series: (asked, how) => {
      const raised = entries.filter(matches(asked));
      const timed = raised.map(({ raised_at, priority }) => ({ time: printInstant(raised_at, timeZone), priority }));
      return recountSeries(timed, how);
    },
    statistics: (asked, now) => page(statistics(entries, asked, now), asked, (row) => printAlarmStatistic(row)),
    interventions: (asked) => page(interventions(entries, asked), asked, printAlarmIntervention),
  };
}

function page<T extends { id: number }>(rows: readonly T[], asked: HistoryAsked, print: (row: T) => unknown): Page {
  const { offset = 0, limit = 10, sort = '+id' } = asked;
  const field = sortFields[sort.slice(1) as keyof typeof sortFields];
  const sortedBy = (row: T): number => (row as unknown as Readonly<Record<string, number>>)[field] ?? 0;
  const direction = sort.startsWith('+') ? 1 : -1;
  const ordered = rows.toSorted((a, b) => (sortedBy(a) - sortedBy(b)) * direction || a.id - b.id);
  return { items: ordered.slice(offset, offset + limit).map(print), total: rows.length };
}

function matches({ userId, from = 0, to = Infinity, search = '', ...asked }: HistoryAsked) {
  const { alarmId, stationId, dataServerId, tagGroupId, priority } = asked;
  const isIn = (ids: Ids | undefined, value: number | null) => ids === undefined || ids.includes(value ?? -1);
  // Cached: many entries have the same text.
  const answers = new Map<string, boolean>();
  const isFound = (text: string): boolean => {
    const answer = answers.get(text) ?? isFoundIn(text, search);
    answers.set(text, answer);
    return answer;
  };
  return (entry: Entry): boolean =>
    isIn(alarmId, entry.alarm_id) &&
    isIn(stationId, entry.station_id) &&
    isIn(dataServerId, entry.data_server_id) &&
    isIn(tagGroupId, entry.tag_group_id) &&
    isIn(priority, entry.priority) &&
    (userId === undefined || userId === entry.ack_user_id) &&
    entry.raised_at >= from &&
    entry.raised_at < to &&
    (search === '' || isFound(`${entry.tag_name} ${entry.message} ${entry.comment}`));
}

function printed(entry: Entry, isSystem: boolean, timeZone: string, isFull: boolean) {
  return printAlarmHistory(
    {
      id: entry.id,
      tagId: entry.alarm_id,
      tagName: entry.tag_name,
      message: entry.message,
      priority: entry.priority,
      alarmTime: entry.raised_at,
      ackTime: entry.ack_at ?? undefined,
      resetTime: entry.reset_at ?? undefined,
      comment: entry.comment,
      stationId: entry.station_id,
      isSystem,
      ackUser: entry.ack_user ?? '',
    },
    timeZone,
    isFull,
  );
}

/** An alarm that is still active counts up to the end of the period, but not beyond the present. */
function statistics(entries: readonly Entry[], asked: HistoryAsked, now: number) {
  const end = Math.min(asked.to ?? Infinity, now);
  return [...Map.groupBy(entries.filter(matches(asked)), ({ alarm_id }) => alarm_id)].map(([id, rows]) => {
    const newest = rows.at(-1);
    const lengths = rows.map(({ raised_at, reset_at }) => Math.max(0, Math.min(reset_at ?? end, end) - raised_at));
    return {
      id,
      tagName: newest?.tag_name ?? '',
      message: newest?.message ?? '',
      priority: newest?.priority ?? 0,
      code: newest?.code ?? 0,
      failureNumber: rows.length,
      failureTotalMs: sum(lengths),
      isSystem: false,
    };
  });
}

/** A search looks for the name of the user, as it was in the newest entry that the user acknowledged. */
function interventions(entries: readonly Entry[], asked: HistoryAsked) {
  const { search = '', ...filter } = asked;
  const taken = entries.filter(({ ack_user_id }) => ack_user_id !== null);
  const names = new Map(taken.map(({ ack_user_id, ack_user }) => [ack_user_id, ack_user ?? '']));
  return [...Map.groupBy(taken.filter(matches(filter)), ({ ack_user_id }) => ack_user_id)]
    .map(([userId, rows]) => {
      const reactions = rows.map(({ raised_at, ack_at }) => (ack_at ?? 0) - raised_at);
      const lengths = rows.flatMap(({ ack_at, reset_at }) => {
        return ack_at !== null && reset_at !== null && reset_at >= ack_at ? [reset_at - ack_at] : [];
      });
      return {
        id: userId ?? 0,
        user: names.get(userId) ?? '',
        interventionNumber: rows.length,
        reactionMeanMs: sum(reactions) / rows.length,
        interventionMeanMs: lengths.length === 0 ? 0 : sum(lengths) / lengths.length,
      };
    })
    .filter(({ user }) => search === '' || isFoundIn(user, search));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
