// What is asked of the history when it is measured: which lists, of which place, over which period.

import type { HistoryFilter } from '../../src/operations/history/filter.ts';
import { commonWord, rareWord } from '../seed/plant.ts';
import { dayMs } from '../seed/year.ts';

const yearMs = 365 * dayMs;

/** The ids that filters may name, and the end of the year. */
export type Ground = {
  readonly stationId: readonly number[];
  readonly dataServerId: readonly number[];
  readonly tagGroupId: readonly number[];
  readonly userId: readonly number[];
  readonly end: number;
};

/** The parameters of a list, instants as numbers. */
export type Asked = {
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
  /** Whether the bar is for it. */
  readonly isBarred: boolean;
  /** A request, another one each time. `total` is of the list over the whole year. */
  readonly ask: (ground: Ground, random: Random, total: number) => Asked;
};

const lists = ['histories', 'statistics', 'interventions'] as const;
const places = ['stationId', 'dataServerId', 'tagGroupId'] as const;
const periods = { week, year } as const;

function week({ end }: Ground, random: Random): Period {
  return period(end - yearMs + Math.floor(random() * (yearMs - 7 * dayMs)), 7 * dayMs);
}

/** Less some hours at either end, so that it begins and ends within an hour. */
function year({ end }: Ground, random: Random): Period {
  const from = end - yearMs + Math.floor(random() * dayMs);
  return period(from, end - from - Math.floor(random() * dayMs));
}

function wholeYear({ end }: Ground): Period {
  return period(end - yearMs, yearMs + 1);
}

function period(from: number, length: number): Period {
  return { from, to: from + length };
}

function one(ids: readonly number[], random: Random): number {
  return ids[Math.floor(random() * ids.length)] ?? 0;
}

const barred: readonly Case[] = lists.flatMap((list) => [
  ...places.flatMap((place) =>
    (['week', 'year'] as const).flatMap((name) =>
      [50, 0].map((limit): Case => {
        const ask: Case['ask'] = (ground, random) => {
          return { limit, filter: { [place]: one(ground[place], random), ...periods[name](ground, random) } };
        };
        return { list, name: `${place}, ${name}${limit === 0 ? ', total alone' : ''}`, isBarred: true, ask };
      }),
    ),
  ),
  {
    list,
    name: 'stationId, whole year',
    isBarred: true,
    ask: (ground, random) => ({
      limit: 50,
      filter: { stationId: one(ground.stationId, random), ...wholeYear(ground) },
    }),
  },
]);

function unbarred(list: Case['list'], name: string, ask: Case['ask']): Case {
  return { list, name, isBarred: false, ask };
}

const others: readonly Case[] = [
  ...lists.flatMap((list) => [
    unbarred(list, 'everything', () => ({ limit: 50, filter: {} })),
    unbarred(list, 'userId, week', (ground, random) => {
      return { limit: 50, filter: { userId: one(ground.userId, random), ...week(ground, random) } };
    }),
    unbarred(list, 'userId, year', (ground, random) => {
      return { limit: 50, filter: { userId: one(ground.userId, random), ...year(ground, random) } };
    }),
  ]),
  ...(['histories', 'statistics'] as const).flatMap((list) => [
    unbarred(list, 'rare word, year', (ground, random) => ({
      limit: 50,
      search: rareWord,
      filter: year(ground, random),
    })),
    unbarred(list, 'common word, week', (ground, random) => ({
      limit: 50,
      search: commonWord,
      filter: week(ground, random),
    })),
    unbarred(list, 'common word, year', (ground, random) => ({
      limit: 50,
      search: commonWord,
      filter: year(ground, random),
    })),
  ]),
  unbarred('histories', 'stationId, offset 90 %', (ground, random, total) => {
    return { limit: 50, offset: Math.floor(total * 0.09), filter: { stationId: one(ground.stationId, random) } };
  }),
  unbarred('histories', 'offset 90 %', (_ground, _random, total) => ({
    limit: 50,
    offset: Math.floor(total * 0.9),
    filter: {},
  })),
];

export const cases: readonly Case[] = [...barred, ...others];
