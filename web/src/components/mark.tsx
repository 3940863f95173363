// The mark of an alarm: its shape says the priority, its fill and its dot the state.

import type { ReactElement } from 'react';
import { useWords } from '../words/use-words.ts';
import styles from './mark.module.css';

export type MarkState = {
  readonly priority: number;
  /** Bit 0: active; bit 1: not acknowledged. */
  readonly state: number;
  readonly masked: boolean;
  readonly system: boolean;
};

type MarkProps = MarkState & {
  readonly size: number;
  /** Without its number and its dot, for running text. */
  readonly isPlain?: boolean;
  /** A count of nothing: a grey outline. */
  readonly isEmpty?: boolean;
  /** The full colour without a dot, for a legend. */
  readonly isFilled?: boolean;
  /** For marks beside a text that says the same. */
  readonly isDecorative?: boolean;
};

export type Hue = 'p1' | 'p2' | 'p3' | 'p4' | 'sys';

export function hueOf({ priority, system }: Pick<MarkState, 'priority' | 'system'>): Hue {
  if (system) return 'sys';
  return priority <= 1 ? 'p1' : priority === 2 ? 'p2' : priority === 3 ? 'p3' : 'p4';
}

type Look = 'active' | 'acknowledged' | 'cleared' | 'masked' | 'rest';

export function lookOf({ state, masked }: Pick<MarkState, 'state' | 'masked'>): Look {
  if (masked) return 'masked';
  if (state === 3) return 'active';
  if (state === 2) return 'cleared';
  return state === 1 ? 'acknowledged' : 'rest';
}

const outlines: Readonly<Record<Hue, ReactElement>> = {
  p1: <rect x="2.75" y="2.75" width="18.5" height="18.5" rx="2.5" />,
  p2: <path d="M12 2.9 22 20.4H2Z" strokeLinejoin="round" />,
  p3: <path d="M12 21.1 2 3.6H22Z" strokeLinejoin="round" />,
  p4: <ellipse cx="12" cy="12" rx="10.2" ry="7.6" />,
  sys: <path d="M12 1.9 22.1 12 12 22.1 1.9 12Z" strokeLinejoin="round" />,
};

/** Where the number stands: a triangle has its weight below or above the middle. */
const baselines: Readonly<Record<Hue, number>> = { p1: 16.1, p2: 18.1, p3: 13.2, p4: 16, sys: 16 };

export function Mark(props: MarkProps): ReactElement {
  const { priority, size, isPlain, isEmpty, isFilled, isDecorative } = props;
  const words = useWords();
  const hue = hueOf(props);
  const look = isEmpty ? 'rest' : isFilled ? 'active' : lookOf(props);
  const isUnacknowledged = !isEmpty && !isPlain && !props.masked && (props.state & 2) !== 0;
  const label = isDecorative ? undefined : words.mark.label(props);
  return (
    <svg
      className={`${styles.mark} ${styles[look]} ${styles[hue]}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      role={label === undefined ? 'presentation' : 'img'}
      aria-label={label}
      aria-hidden={label === undefined}
    >
      <g className={styles.shape}>{outlines[hue]}</g>
      {isPlain ? null : (
        <text className={styles.number} x="12" y={baselines[hue]} fontSize={priority > 9 ? 8.5 : 11.5}>
          {priority > 99 ? '99+' : priority}
        </text>
      )}
      {isUnacknowledged ? <circle className={styles.dot} cx="20.4" cy="3.6" r="4.2" /> : null}
    </svg>
  );
}

/** The diamond of Tocsin itself beside a text that says what is wrong. */
export function SystemMark({ size }: { readonly size: number }): ReactElement {
  return <Mark priority={1} system state={1} masked={false} size={size} isPlain isFilled isDecorative />;
}
