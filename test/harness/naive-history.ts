// Computes the lists of the history from all rows in the simplest way, to compare the responses of the interface with.

import { isFoundIn } from '../../src/domain/search.ts';
import { printAlarmIntervention } from '../../src/wire/history/intervention.ts';
import { printAlarmHistory } from '../../src/wire/history/occurrence.ts';
import { printAlarmStatistic } from '../../src/wire/history/statistic.ts';
import type { RowOf, TableReader } from './table-rows.ts';

export type HistoryAsked = {
  readonly stationId?: number | undefined;
  readonly dataServerId?: number | undefined;
  readonly tagGroupId?: number | undefined;
  readonly userId?: number | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly search?: string | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
  readonly sort?: '+id' | '-id' | undefined;
};

type Entry = RowOf<'alarm_histories'> & { readonly tag_name: string; readonly message: string };
type Page = { readonly items: readonly unknown[]; readonly total: number };

export type NaiveHistory = Readonly<
  Record<'histories' | 'statistics' | 'interventions', (asked: HistoryAsked, now: number) => Page>
>;

export async function naiveHistory(tables: TableReader, timeZone: string): Promise<NaiveHistory> {
  const texts = new Map((await tables.all('history_texts')).map((text) => [text.id, text]));
  const entries: readonly Entry[] = (await tables.all('alarm_histories'))
    .map((entry) => {
      const { tag_name = '', message = '' } = texts.get(entry.text_id) ?? {};
      return { ...entry, tag_name, message };
    })
    .sort((a, b) => a.id - b.id);
  return {
    histories: (asked) => page(entries.filter(matches(asked)), asked, (entry) => printed(entry, timeZone)),
    statistics: (asked, now) => page(statistics(entries, asked, now), asked, printAlarmStatistic),
    interventions: (asked) => page(interventions(entries, asked), asked, printAlarmIntervention),
  };
}

function page<T extends { id: number }>(rows: readonly T[], asked: HistoryAsked, print: (row: T) => unknown): Page {
  const { offset = 0, limit = 10, sort = '+id' } = asked;
  const ordered = rows.toSorted((a, b) => (sort === '+id' ? a.id - b.id : b.id - a.id));
  return { items: ordered.slice(offset, offset + limit).map(print), total: rows.length };
}

function matches({ stationId, dataServerId, tagGroupId, userId, from = 0, to = Infinity, search = '' }: HistoryAsked) {
  const is = (asked: number | undefined, value: number | null) => asked === undefined || asked === value;
  // Cached: many entries have the same text.
  const answers = new Map<string, boolean>();
  const isFound = (text: string): boolean => {
    const answer = answers.get(text) ?? isFoundIn(text, search);
    answers.set(text, answer);
    return answer;
  };
  return (entry: Entry): boolean =>
    is(stationId, entry.station_id) &&
    is(dataServerId, entry.data_server_id) &&
    is(tagGroupId, entry.tag_group_id) &&
    is(userId, entry.ack_user_id) &&
    entry.raised_at >= from &&
    entry.raised_at < to &&
    (search === '' || isFound(`${entry.tag_name} ${entry.message} ${entry.comment}`));
}

function printed(entry: Entry, timeZone: string) {
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
    },
    timeZone,
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
