// The chart of alarms over time: bars stacked by priority, the manageable number as a line, floods framed and named.

import { scaleLinear } from 'd3-scale';
import { type KeyboardEvent, type PointerEvent, type ReactElement, useState } from 'react';
import { useWidth } from '../../components/use-width.ts';
import type { Period } from '../../data/time/period.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { useWords } from '../../words/use-words.ts';
import { ChartBars } from './chart-bars.tsx';
import { FloodFrames } from './chart-floods.tsx';
import { chartHeight, heightsOf, type Scales, type Mark as TimeMark, timeMarks } from './chart-layout.ts';
import type { Bar, BarLength } from './series.ts';
import { highest } from './series.ts';
import styles from './series-chart.module.css';
import { useBarText } from './texts.ts';
import type { ToldFlood } from './use-statistics.ts';

type ChartProps = {
  readonly bars: readonly Bar[];
  readonly length: BarLength;
  /** The numbers of the period before, bar by bar. */
  readonly before: readonly { readonly alarms: number }[] | undefined;
  readonly floods: readonly ToldFlood[];
  readonly onOpen: (period: Period) => void;
  readonly onPeriod: (period: Period) => void;
};

const base = chartHeight - 20;
const top = 8;
const left = 24;
/** A pointer that moved less than this has clicked. */
const dragPx = 5;

export function SeriesChart(props: ChartProps): ReactElement {
  const { bars, length, before } = props;
  const words = useWords().statistics;
  const clock = usePlantClock();
  const { ref, width } = useWidth<HTMLDivElement>();
  const { top: highestTick, ticks, limit } = heightsOf(highest(bars)?.alarms ?? 0, length);
  const x = scaleLinear([0, Math.max(1, bars.length)], [left, Math.max(left + 1, width)]);
  // What was higher in the period before ends at the top: the chart is of this one.
  const y = scaleLinear([0, highestTick], [base, top]).clamp(true);
  const { index, drag, handlers } = useBarPointer(props, (px) => Math.floor(x.invert(px)));
  const barText = useBarText(length);
  const shown = index === undefined ? undefined : bars[index];
  return (
    <div
      ref={ref}
      className={styles.chart}
      role="slider"
      tabIndex={0}
      aria-label={`${words.chart[length]}. ${words.chartKeys}`}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, bars.length - 1)}
      aria-valuenow={index ?? 0}
      aria-valuetext={shown === undefined ? '' : barText(shown)}
      {...handlers}
    >
      {width === 0 ? null : (
        <svg viewBox={`0 0 ${width} ${chartHeight}`} width="100%" aria-hidden="true">
          <Grid {...{ x, y, ticks, width }} marks={timeMarks(bars, length, clock, width)} />
          <ChartBars {...{ bars, x, y, index }} />
          {before === undefined ? null : <Before {...{ before, x, y }} count={bars.length} />}
          {limit === undefined ? null : <Limit y={y(limit)} width={width} text={words.limit[length]} />}
          <FloodFrames {...{ bars, x, width }} floods={props.floods} />
          {drag === undefined ? null : (
            <rect
              className={styles.drag}
              x={x(drag[0])}
              width={x(drag[1] + 1) - x(drag[0])}
              y={top}
              height={base - top}
            />
          )}
        </svg>
      )}
      {shown === undefined || index === undefined ? null : (
        <BarBox text={barText(shown)} at={x(index + 0.5)} width={width} />
      )}
    </div>
  );
}

type GridProps = Scales & {
  readonly ticks: readonly number[];
  readonly marks: readonly TimeMark[];
  readonly width: number;
};

function Grid({ x, y, ticks, marks, width }: GridProps): ReactElement {
  return (
    <g className={styles.grid}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className={tick === 0 ? styles.base : ''} x1={left} x2={width} y1={y(tick)} y2={y(tick)} />
          <text x={left - 6} y={y(tick) + 3.5} textAnchor="end">
            {tick}
          </text>
        </g>
      ))}
      {marks.map(({ index, text }) => (
        <g key={index}>
          <line x1={x(index)} x2={x(index)} y1={top} y2={base + 3} />
          <text x={x(index) + 2} y={base + 15}>
            {text}
          </text>
        </g>
      ))}
    </g>
  );
}

function Limit({
  y,
  width,
  text,
}: {
  readonly y: number;
  readonly width: number;
  readonly text: string;
}): ReactElement {
  return (
    <g className={styles.limit}>
      <line x1={left} x2={width} y1={y} y2={y} />
      <text x={width} y={y - 5} textAnchor="end">
        {text}
      </text>
    </g>
  );
}

type BeforeProps = Scales & { readonly before: readonly { readonly alarms: number }[]; readonly count: number };

/** A line of steps over the bars: the period before. */
function Before({ before, x, y, count }: BeforeProps): ReactElement {
  const steps = before.slice(0, count).map(({ alarms }, index) => `H${x(index)}V${y(alarms)}H${x(index + 1)}`);
  return <path className={styles.before} d={`M${x(0)} ${base}${steps.join('')}`} />;
}

/** The exact figures of a bar, above it. */
function BarBox({ text, at, width }: { readonly text: string; readonly at: number; readonly width: number }) {
  const isRight = at > width / 2;
  const place = isRight ? { right: width - at + 8 } : { left: at + 8 };
  return (
    <p className={styles.box} style={place}>
      {text}
    </p>
  );
}

/** The bar under the pointer or reached by arrow keys, and the bars dragged over. */
function useBarPointer({ bars, onOpen, onPeriod }: ChartProps, barAt: (px: number) => number) {
  const [index, setIndex] = useState<number>();
  const [start, setStart] = useState<{ readonly px: number; readonly index: number }>();
  const [drag, setDrag] = useState<readonly [number, number]>();
  const last = bars.length - 1;
  const at = (event: PointerEvent): { readonly px: number; readonly index: number } => {
    const px = event.clientX - event.currentTarget.getBoundingClientRect().left;
    return { px, index: Math.max(0, Math.min(last, barAt(px))) };
  };
  const handlers = {
    onPointerDown: (event: PointerEvent): void => {
      if (event.button !== 0) return;
      setStart(at(event));
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent): void => {
      const now = at(event);
      setIndex(now.index);
      if (start === undefined || Math.abs(now.px - start.px) < dragPx) return;
      setDrag([Math.min(start.index, now.index), Math.max(start.index, now.index)]);
    },
    onPointerUp: (): void => {
      const [from, to] = [bars[drag?.[0] ?? start?.index ?? 0], bars[drag?.[1] ?? start?.index ?? 0]];
      if (start !== undefined && from !== undefined && to !== undefined)
        (drag === undefined ? onOpen : onPeriod)({ from: from.from, to: to.to });
      setStart(undefined);
      setDrag(undefined);
    },
    onPointerCancel: (): void => {
      setStart(undefined);
      setDrag(undefined);
    },
    onPointerLeave: (): void => setIndex(undefined),
    onBlur: (): void => setIndex(undefined),
    onKeyDown: (event: KeyboardEvent): void => {
      const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, Home: -last, End: last };
      const step = steps[event.key];
      const bar = bars[index ?? -1];
      if (event.key === 'Enter' && bar !== undefined) onOpen(bar);
      if (step === undefined || last < 0) return;
      event.preventDefault();
      setIndex(index === undefined && step === 1 ? 0 : Math.max(0, Math.min(last, (index ?? last + 1) + step)));
    },
  };
  return { index, drag, handlers };
}
