// Floods in the chart: a frame around their bars, and in words when they were and what they came from.

import type { ReactElement } from 'react';
import { barsIn, chartHeight, placeTexts, type Scales } from './chart-layout.ts';
import type { Bar } from './series.ts';
import styles from './series-chart.module.css';
import { useFloodTexts } from './texts.ts';
import type { ToldFlood } from './use-statistics.ts';

type FramesProps = Pick<Scales, 'x'> & {
  readonly bars: readonly Bar[];
  readonly floods: readonly ToldFlood[];
  readonly width: number;
};

const frameTop = 1;
const frameBottom = chartHeight - 19;

export function FloodFrames({ bars, floods, x, width }: FramesProps): ReactElement {
  const textsOf = useFloodTexts();
  const frames = floods
    .toSorted((a, b) => b.alarms - a.alarms)
    .flatMap((flood) => {
      const range = barsIn(bars, flood.from, flood.to);
      if (range === undefined) return [];
      const [title, what] = textsOf(flood);
      const text = title.length > what.length ? title : what;
      return [{ left: x(range[0]) - 2, right: x(range[1] + 1) + 2, from: flood.from, title, what, text }];
    });
  return (
    <g className={styles.floods}>
      {frames.map(({ from, left, right }) => (
        <rect key={from} x={left} y={frameTop} width={right - left} height={frameBottom - frameTop} rx="4" />
      ))}
      {placeTexts(frames, width).map(({ item: { from, title, what }, x: at, isLeft }) => (
        <text key={from} textAnchor={isLeft ? 'end' : 'start'}>
          <tspan className={styles.title} x={at} y={11}>
            {title}
          </tspan>
          <tspan x={at} y={25}>
            {what}
          </tspan>
        </text>
      ))}
    </g>
  );
}
