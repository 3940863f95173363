// The measured requests: which lists, of which location, over which period.

import type { HistoryFilter } from '../../src/operations/history/filter.ts';
import { commonWord, rareWord } from '../seed/plant.ts';
import { dayMs } from '../seed/year.ts';

const yearMs = 365 * dayMs;

/** The ids that filters may use, and the end of the year. */
export type FilterIds = {
  readonly stationId: readonly number[];
  readonly dataServerId: readonly number[];
  readonly tagGroupId: readonly number[];
  readonly userId: readonly number[];
  readonly end: number;
};

/** The parameters of a list, instants as numbers. */
export type ListParameters = {
  readonly limit: number;
  readonly offset?: number;
  readonly search?: string;
  readonly filter: HistoryFilter;
};
type Period = { readonly from: number; readonly to: number };

type Random = () => number;

export type Case = {
  readonly list: 'histories' | 'statistics' | 'interventions';
  readonly name: string;
  /** Whether the bar applies. */
  readonly isBarred: boolean;
  /** Returns the parameters of a request, different each time. `total` is the size of the list over the whole year. */
  readonly ask: (ids: FilterIds, random: Random, total: number) => ListParameters;
};

const lists = ['histories', 'statistics', 'interventions'] as const;
const locationNames = ['stationId', 'dataServerId', 'tagGroupId'] as const;
const periods = { week, year } as const;

function week({ end }: FilterIds, random: Random): Period {
  return period(end - yearMs + Math.floor(random() * (yearMs - 7 * dayMs)), 7 * dayMs);
}

/** Cut by some hours at either end, so that it begins and ends within an hour. */
function year({ end }: FilterIds, random: Random): Period {
  const from = end - yearMs + Math.floor(random() * dayMs);
  return period(from, end - from - Math.floor(random() * dayMs));
}

function wholeYear({ end }: FilterIds): Period {
  return period(end - yearMs, yearMs + 1);
}

function period(from: number, length: number): Period {
  return { from, to: from + length };
}

function one(ids: readonly number[], random: Random): number {
  return ids[Math.floor(random() * ids.length)] ?? 0;
}

const barred: readonly Case[] = lists.flatMap((list) => [
  ...locationNames.flatMap((location) =>
    (['week', 'year'] as const).flatMap((name) =>
      [50, 0].map((limit): Case => {
        const ask: Case['ask'] = (ids, random) => {
          return { limit, filter: { [location]: [one(ids[location], random)], ...periods[name](ids, random) } };
        };
        return { list, name: `${location}, ${name}${limit === 0 ? ', total alone' : ''}`, isBarred: true, ask };
      }),
    ),
  ),
  {
    list,
    name: 'stationId, whole year',
    isBarred: true,
    ask: (ids, random) => ({
      limit: 50,
      filter: { stationId: [one(ids.stationId, random)], ...wholeYear(ids) },
    }),
  },
]);

function unbarred(list: Case['list'], name: string, ask: Case['ask']): Case {
  return { list, name, isBarred: false, ask };
}

const others: readonly Case[] = [
  ...lists.flatMap((list) => [
    unbarred(list, 'everything', () => ({ limit: 50, filter: {} })),
    unbarred(list, 'userId, week', (ids, random) => {
      return { limit: 50, filter: { userId: one(ids.userId, random), ...week(ids, random) } };
    }),
    unbarred(list, 'userId, year', (ids, random) => {
      return { limit: 50, filter: { userId: one(ids.userId, random), ...year(ids, random) } };
    }),
  ]),
  ...(['histories', 'statistics'] as const).flatMap((list) => [
    unbarred(list, 'rare word, year', (ids, random) => ({
      limit: 50,
      search: rareWord,
      filter: year(ids, random),
    })),
    unbarred(list, 'common word, week', (ids, random) => ({
      limit: 50,
      search: commonWord,
      filter: week(ids, random),
    })),
    unbarred(list, 'common word, year', (ids, random) => ({
      limit: 50,
      search: commonWord,
      filter: year(ids, random),
    })),
  ]),
  unbarred('histories', 'stationId, offset 90 %', (ids, random, total) => {
    return { limit: 50, offset: Math.floor(total * 0.09), filter: { stationId: [one(ids.stationId, random)] } };
  }),
  unbarred('histories', 'offset 90 %', (_ids, _random, total) => ({
    limit: 50,
    offset: Math.floor(total * 0.9),
    filter: {},
  })),
];

export const cases: readonly Case[] = [...barred, ...others];
