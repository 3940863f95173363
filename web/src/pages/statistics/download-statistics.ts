// Downloads the tables of the statistics as CSV, with the fields of the interface, for the period and filters on screen.

import type { AlarmIntervention } from '@tocsin/client';
import { csvOf, downloadText } from '../../components/csv.ts';
import { readAllAlarms, readPeople } from './read-statistics.ts';
import type { Bar } from './series.ts';
import type { AlarmOrder } from './statistics-search.ts';
import type { Asked } from './use-statistics.ts';

function save(name: string, { period }: Asked, ...table: Parameters<typeof csvOf>): void {
  const [from, to] = [period.from, period.to].map((at) => new Date(at).toISOString().slice(0, 10));
  downloadText(`${name}-${from}-${to}.csv`, csvOf(...table));
}

export async function downloadAlarms(asked: Asked, order: AlarmOrder): Promise<void> {
  const rows = await readAllAlarms(asked.filter, asked.period, order);
  const head = ['id', 'tagName', 'message', 'priority', 'code', 'failureNumber', 'failureTotalTime', 'failureMeanTime'];
  const cells = rows.map((row) => [
    row.id,
    row.tagName,
    row.message,
    row.priority,
    row.code,
    row.failureNumber,
    row.failureTotalTime,
    row.failureMeanTime,
  ]);
  save('statistics-alarms', asked, head, cells);
}

/** Where names are left out on screen they are not in the file either, and nor are the ids. */
export async function downloadPeople(
  asked: Asked,
  areNamesShown: boolean,
  nameOf: (person: AlarmIntervention, place: number) => string,
): Promise<void> {
  const rows = await readPeople(asked.filter, asked.period);
  const head = ['user', 'interventionNumber', 'reactionMeanTime', 'interventionMeanTime'];
  const cells = rows.map((row, place) => [
    ...(areNamesShown ? [row.id, row.user] : [nameOf(row, place)]),
    row.interventionNumber,
    row.reactionMeanTime,
    row.interventionMeanTime,
  ]);
  save('statistics-people', asked, areNamesShown ? ['id', ...head] : head, cells);
}

/** Times are of UTC, so that a spreadsheet sorts them also where the clock changes. */
export function downloadBars(asked: Asked, bars: readonly Bar[]): void {
  const head = ['fromUtc', 'toUtc', 'number', 'priority1', 'priority2', 'priority3', 'priority4AndMore'];
  const cells = bars.map(({ from, to, alarms, byPriority }) => [
    new Date(from).toISOString(),
    new Date(to).toISOString(),
    alarms,
    ...[0, 1, 2, 3].map((index) => byPriority[index] ?? 0),
  ]);
  save('statistics-series', asked, head, cells);
}
