// The six figures of a period, each with what it means below it.

import type { ReactElement } from 'react';
import type { Flood } from '../../data/flood.ts';
import { unknownFigure } from '../../data/lists/list-state.ts';
import { mayPass } from '../../data/lists/query-failures.ts';
import { useNames } from '../../data/names.ts';
import { reasonOf } from '../../data/server.ts';
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
  readonly alarms: number | undefined;
  readonly before: readonly { readonly alarms: number }[] | undefined;
  readonly rush: Rush | undefined;
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

type FigureProps = {
  readonly name: string;
  readonly value: string | undefined;
  readonly unit?: string;
  readonly note: string;
};

function Figure({ name, value, unit = '', note }: FigureProps): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className={`${styles.value} figures`}>{value ?? unknownFigure}</span>
        {unit === '' ? null : <span className={styles.unit}> {unit}</span>}
        <span className={styles.note}>{note}</span>
      </dd>
    </div>
  );
}

function useNumbers(): (value: number, digits?: number) => string {
  const { locale } = useWords();
  return (value, digits = 0) =>
    value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function Raised({ search, alarms, before }: FiguresProps): ReactElement {
  const words = useWords().statistics;
  const number = useNumbers();
  const earlier = before === undefined ? undefined : total(before);
  const noteOf = (): string => {
    if (alarms === undefined || earlier === undefined) return '';
    const percent = changePercent(alarms, earlier);
    const name = words.timeBefore[periodKey(search)];
    if (percent === undefined) return words.noneBefore(name);
    const sign = percent < 0 ? '−' : percent > 0 ? '+' : '±';
    return words.change(`${sign}${number(Math.abs(percent))} %`, name);
  };
  return <Figure name={words.raised} value={alarms === undefined ? undefined : number(alarms)} note={noteOf()} />;
}

const hourMs = 3_600_000;

function PerHour({ asked: { period }, alarms, rush }: FiguresProps): ReactElement {
  const words = useWords().statistics;
  const clock = usePlantClock();
  const number = useNumbers();
  const hours = Math.max(1, (period.to - period.from) / hourMs);
  const peak = rush?.peak;
  const isWeek = period.to - period.from <= 7 * 24 * hourMs;
  const whenOf = (at: number): string =>
    isWeek ? `${weekdayText(clock, at)} ${shortTimeText(clock, at)}` : dateTimeText(clock, at);
  const note =
    rush === undefined ? '' : peak === undefined ? words.noPeak : words.peak(peak.alarms, whenOf(peak.start));
  return (
    <Figure name={words.perHour} value={alarms === undefined ? undefined : number(alarms / hours, 1)} note={note} />
  );
}

function floodMs(floods: readonly Flood[]): number {
  return floods.reduce((sum, { from, to }) => sum + to - from, 0);
}

function InFlood({ asked: { period }, rush }: FiguresProps): ReactElement {
  const words = useWords().statistics;
  const number = useNumbers();
  if (rush === undefined) return <Figure name={words.inFlood} value={undefined} note="" />;
  const { floods } = rush;
  if (floods === undefined) return <Figure name={words.inFlood} value={undefined} note={words.floodsUnknown} />;
  const percent = (floodMs(floods) / (period.to - period.from)) * 100;
  const note = floods.length === 0 ? words.noFlood : words.floods(durationText(floodMs(floods)), floods.length);
  return <Figure name={words.inFlood} value={number(percent, percent === 0 ? 0 : 1)} unit="%" note={note} />;
}

function Taken({ asked, alarms }: FiguresProps): ReactElement {
  const words = useWords().statistics;
  const number = useNumbers();
  const people = usePeople(asked);
  if (people === undefined || alarms === undefined) return <Figure name={words.taken} value={undefined} note="" />;
  const { taken } = reactionOf(people);
  const left = alarms - taken;
  const note = alarms === 0 ? '' : left <= 0 ? words.allTaken : words.notTaken(left);
  return <Figure name={words.taken} value={number(taken)} unit={words.of(number(alarms))} note={note} />;
}

function Reaction({ asked }: FiguresProps): ReactElement {
  const words = useWords().statistics;
  const people = usePeople(asked);
  const urgent = usePeople(asked, 1);
  const meanMs = people && reactionOf(people).meanMs;
  const urgentMs = urgent && reactionOf(urgent).meanMs;
  const note =
    urgent === undefined ? '' : words.reactionOne(urgentMs === undefined ? words.tooFew : meanText(urgentMs));
  if (meanMs === undefined)
    return <Figure name={words.reaction} value={people && words.tooFew} note={people === undefined ? '' : note} />;
  const isHours = meanMs >= hourMs;
  return (
    <Figure
      name={words.reaction}
      value={isHours ? durationText(meanMs) : minutesText(meanMs)}
      unit={isHours ? '' : 'min'}
      note={note}
    />
  );
}

function meanText(ms: number): string {
  return ms >= hourMs ? durationText(ms) : `${minutesText(ms)} min`;
}

function Unanswered({ asked }: FiguresProps): ReactElement {
  const words = useWords();
  const number = useNumbers();
  const areNamesShown = useAreNamesShown();
  const { byId } = useNames();
  const { data, error } = useUnanswered(asked);
  const { unanswered: name, noneUnanswered, of, all, atNight } = words.statistics;
  if (data === undefined)
    return <Figure name={name} value={undefined} note={error === null || mayPass(error) ? '' : reasonOf(error)} />;
  const common = data.newest.length < data.unanswered ? {} : commonOf(data.newest);
  const parts = [
    common.userId === undefined || !areNamesShown ? [] : [byId(common.userId)],
    common.channel === undefined ? [] : [words.timeline.channel(common.channel)],
    common.isAtNight ? [atNight] : [],
  ].flat();
  const note = data.unanswered === 0 ? noneUnanswered : parts.length === 0 ? '' : all(parts.join(', '));
  return <Figure name={name} value={number(data.unanswered)} unit={of(number(data.calls))} note={note} />;
}
