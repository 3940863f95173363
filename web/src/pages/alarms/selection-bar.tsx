// What can be done with the selected alarms; what is acknowledged was selected and on screen.

import type { ReactElement } from 'react';
import { Button } from '../../components/button.tsx';
import type { AlarmView } from '../../data/alarm-views.ts';
import { useRights } from '../../data/rights.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './selection-bar.module.css';
import { useAcknowledge } from './use-acknowledge.ts';

type SelectionBarProps = {
  readonly alarms: readonly AlarmView[];
  readonly selected: ReadonlySet<number>;
  readonly setSelected: (ids: ReadonlySet<number>) => void;
  readonly onMask: () => void;
};

export function SelectionBar({ alarms, selected, setSelected, onMask }: SelectionBarProps): ReactElement | null {
  const words = useWords();
  const { blockedBy } = useRights();
  const { run, refused, isBusy } = useAcknowledge();
  if (selected.size === 0) return null;
  const acknowledge = async (): Promise<void> => {
    const left = await run([...selected]);
    setSelected(new Set(left.map(({ id }) => id)));
  };
  const nameOf = (id: number): string => alarms.find((alarm) => alarm.id === id)?.text ?? `#${id}`;
  return (
    <div className={styles.bar} role="toolbar" aria-label={words.alarms.selected(selected.size)}>
      <span className={styles.count}>{words.alarms.selected(selected.size)}</span>
      <Button kind="ink" keyCap="A" blocked={isBusy ? '' : blockedBy('alarms:ack')} onClick={() => void acknowledge()}>
        {words.actions.acknowledgeSome(selected.size)}
      </Button>
      <Button keyCap="S" blocked={blockedBy('alarms:mask')} onClick={onMask}>
        {words.actions.mask}
      </Button>
      <Button kind="quiet" keyCap="Esc" onClick={() => setSelected(new Set())}>
        {words.alarms.clear}
      </Button>
      {refused.length === 0 ? null : (
        <ul className={styles.refused} role="alert">
          {refused.map(({ id, reason }) => (
            <li key={id}>
              {nameOf(id)}: {reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
