// The six figures of a period, each with what it means below it.

import type { ReactElement } from 'react';
import type { Flood } from '../../data/flood.ts';
import { type ListState, unknownFigure } from '../../data/lists/list-state.ts';
import { both, type Read } from '../../data/lists/read.ts';
import { useNames } from '../../data/names.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { dateTimeText, durationText, minutesText, shortTimeText, weekdayText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './figures.module.css';
import { useAreNamesShown } from './names-setting.ts';
import type { Rush } from './read-statistics.ts';
import { total } from './series.ts';
import { periodKey, type StatisticsSearch } from './statistics-search.ts';
import { changePercent, commonOf, reactionOf } from './summaries.ts';
import { type Asked, usePeople, useUnanswered } from './use-statistics.ts';

type FiguresProps = {
  readonly asked: Asked;
  readonly search: StatisticsSearch;
  readonly alarms: Read<number>;
  /** Undefined: not compared. */
  readonly before: Read<readonly { readonly alarms: number }[]> | undefined;
  readonly rush: Read<Rush>;
};

export function Figures(props: FiguresProps): ReactElement {
  return (
    <dl className={styles.figures}>
      <Raised {...props} />
      <PerHour {...props} />
      <InFlood {...props} />
      <Taken {...props} />
      <Reaction {...props} />
      <Unanswered {...props} />
    </dl>
  );
}

type Told = { readonly value: string; readonly unit?: string; readonly note: string };
type FigureProps = { readonly name: string; readonly of: Read<Told> };

function Figure({ name, of }: FigureProps): ReactElement {
  const unit = of.name((told) => told.unit, '');
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={`${styles.value} figures`}>{of.figure(({ value }) => value)}</span>
        {unit === '' ? null : <span className={styles.unit}> {unit}</span>}
        <span className={styles.note}>{of.when({ known: ({ note }) => note, unread: refusalOf })}</span>
      </dd>
    </div>
  );
}

/** Why a figure is refused; that it could not be read is told below the screen. */
function refusalOf(state: ListState): string {
  return state.kind === 'failed' && state.retryAt === undefined ? state.reason : '';
}

function useNumbers(): (value: number, digits?: number) => string {
  const { locale } = useWords();
  return (value, digits = 0) =>
    value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function Raised({ search, alarms, before }: FiguresProps): ReactElement {
  const words = useWords().statistics;
  const number = useNumbers();
  const noteOf = (count: number): string => {
    const earlier = before?.when({ known: total, unread: () => undefined });
    if (earlier === undefined) return '';
    const percent = changePercent(count, earlier);
    const name = words.timeBefore[periodKey(search)];
    if (percent === undefined) return words.noneBefore(name);
    const sign = percent < 0 ? '−' : percent > 0 ? '+' : '±';
    return words.change(`${sign}${number(Math.abs(percent))} %`, name);
  };
  return <Figure name={words.raised} of={alarms.map((count) => ({ value: number(count), note: noteOf(count) }))} />;
}

const hourMs = 3_600_000;

function PerHour({ asked: { period }, alarms, rush }: FiguresProps): ReactElement {
  const words = useWords().statistics;
  const clock = usePlantClock();
  const number = useNumbers();
  const hours = Math.max(1, (period.to - period.from) / hourMs);
  const isWeek = period.to - period.from <= 7 * 24 * hourMs;
  const whenOf = (at: number): string =>
    isWeek ? `${weekdayText(clock, at)} ${shortTimeText(clock, at)}` : dateTimeText(clock, at);
  const note = rush.name(
    ({ peak }) => (peak === undefined ? words.noPeak : words.peak(peak.alarms, whenOf(peak.start))),
    '',
  );
  return <Figure name={words.perHour} of={alarms.map((count) => ({ value: number(count / hours, 1), note }))} />;
}

function floodMs(floods: readonly Flood[]): number {
  return floods.reduce((sum, { from, to }) => sum + to - from, 0);
}

function InFlood({ asked: { period }, rush }: FiguresProps): ReactElement {
  const words = useWords().statistics;
  const number = useNumbers();
  const told = rush.map(({ floods }) => {
    if (floods === undefined) return { value: unknownFigure, note: words.floodsUnknown };
    const percent = (floodMs(floods) / (period.to - period.from)) * 100;
    const note = floods.length === 0 ? words.noFlood : words.floods(durationText(floodMs(floods)), floods.length);
    return { value: number(percent, percent === 0 ? 0 : 1), unit: '%', note };
  });
  return <Figure name={words.inFlood} of={told} />;
}

function Taken({ asked, alarms }: FiguresProps): ReactElement {
  const words = useWords().statistics;
  const number = useNumbers();
  const people = usePeople(asked);
  const told = both(people, alarms).map(([known, count]) => {
    const { taken } = reactionOf(known);
    const left = count - taken;
    const note = count === 0 ? '' : left <= 0 ? words.allTaken : words.notTaken(left);
    return { value: number(taken), unit: words.of(number(count)), note };
  });
  return <Figure name={words.taken} of={told} />;
}

function Reaction({ asked }: FiguresProps): ReactElement {
  const words = useWords().statistics;
  const people = usePeople(asked);
  const urgent = usePeople(asked, 1);
  const note = urgent.name((known) => {
    const { meanMs } = reactionOf(known);
    return words.reactionOne(meanMs === undefined ? words.tooFew : meanText(meanMs));
  }, '');
  const told = people.map((known) => {
    const { meanMs } = reactionOf(known);
    if (meanMs === undefined) return { value: words.tooFew, note };
    const isHours = meanMs >= hourMs;
    return { value: isHours ? durationText(meanMs) : minutesText(meanMs), unit: isHours ? '' : 'min', note };
  });
  return <Figure name={words.reaction} of={told} />;
}

function meanText(ms: number): string {
  return ms >= hourMs ? durationText(ms) : `${minutesText(ms)} min`;
}

function Unanswered({ asked }: FiguresProps): ReactElement {
  const words = useWords();
  const number = useNumbers();
  const areNamesShown = useAreNamesShown();
  const { byId } = useNames();
  const { unanswered: name, noneUnanswered, of, all, atNight } = words.statistics;
  const told = useUnanswered(asked).map(({ newest, unanswered, calls }) => {
    const common = newest.length < unanswered ? {} : commonOf(newest);
    const parts = [
      common.userId === undefined || !areNamesShown ? [] : [byId(common.userId)],
      common.channel === undefined ? [] : [words.timeline.channel(common.channel)],
      common.isAtNight ? [atNight] : [],
    ].flat();
    const note = unanswered === 0 ? noneUnanswered : parts.length === 0 ? '' : all(parts.join(', '));
    return { value: number(unanswered), unit: of(number(calls)), note };
  });
  return <Figure name={name} of={told} />;
}
