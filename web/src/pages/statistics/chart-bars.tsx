// The bars of the chart, stacked by priority with the most urgent on top.

import type { ReactElement } from 'react';
import type { Scales } from './chart-layout.ts';
import type { Bar } from './series.ts';
import styles from './series-chart.module.css';

const gapPx = 1.6;
const hues = ['p1', 'p2', 'p3', 'p4'] as const;

type BarsProps = Scales & { readonly bars: readonly Bar[]; readonly index: number | undefined };

export function ChartBars({ bars, x, y, index }: BarsProps): ReactElement {
  const step = x(1) - x(0);
  const width = Math.max(1, step - Math.min(gapPx, step * 0.3));
  const radius = Math.min(2.5, width / 5);
  return (
    <g>
      {bars.map((bar, place) => (
        <g key={bar.from} className={place === index ? styles.pointed : ''}>
          {segmentsOf(bar).map(({ hue, below, count }) => (
            <rect
              key={hue}
              className={styles[hue]}
              x={x(place) + (step - width) / 2}
              y={y(below + count) + 0.5}
              width={width}
              height={Math.max(1, y(below) - y(below + count) - 1)}
              rx={radius}
            />
          ))}
        </g>
      ))}
    </g>
  );
}

/** From the bottom: the least urgent first. */
function segmentsOf({ byPriority }: Bar) {
  let below = 0;
  return hues
    .map((hue, index) => ({ hue, count: byPriority[index] ?? 0 }))
    .toReversed()
    .flatMap(({ hue, count }) => {
      if (count === 0) return [];
      below += count;
      return [{ hue, count, below: below - count }];
    });
}
