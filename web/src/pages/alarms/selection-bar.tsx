// What can be done with the selected alarms, and with all of their groups that the filter leaves.

import { unmaskAlarms } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { shortText } from '../../components/short-text.ts';
import type { AlarmView } from '../../data/alarm-views.tsx';
import { useNames } from '../../data/names.ts';
import { type Refused, refusalsOf } from '../../data/refusals.ts';
import { useRights } from '../../data/rights.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { timeText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import type { Row } from './order/arrange.ts';
import styles from './selection-bar.module.css';
import type { Asking } from './use-alarm-keys.ts';
import { type Selection, wholeOf } from './use-selection.ts';

type SelectionBarProps = {
  readonly alarms: readonly AlarmView[];
  /** The rows of the list. */
  readonly rows: readonly Row[];
  readonly selection: Selection;
  readonly ask: (asking: Asking) => void;
  readonly acknowledge: (ids: readonly number[]) => unknown;
  readonly refused: readonly Refused[];
  readonly isBusy: boolean;
};

export function SelectionBar(props: SelectionBarProps): ReactElement | null {
  const { alarms, rows, selection, ask, acknowledge, isBusy } = props;
  const { selected, setSelected, selectWhole } = selection;
  const words = useWords();
  const { blockedBy } = useRights();
  const names = useNames();
  const clock = usePlantClock();
  const [kept, keep] = useState<readonly Refused[]>([]);
  if (selected.size === 0) return null;
  const ids = [...selected];
  const whole = wholeOf(rows, selected);
  const refused = [...props.refused, ...kept].filter(({ id }) => selected.has(id));
  const masked = alarms.flatMap(({ id, masked: isMasked }) => (isMasked && selected.has(id) ? [id] : []));
  const unmask = async (): Promise<void> => {
    const left = await refusalsOf(masked, (some) => unmaskAlarms({ ids: some }));
    keep(left);
    setSelected(new Set(left.map(({ id }) => id)));
  };
  const alarmOf = (id: number) => alarms.find((alarm) => alarm.id === id);
  /** An alarm that somebody else took meanwhile is no refusal: it says who did. */
  const outcomeOf = ({ id, reason }: Refused): string => {
    const { state = 2, ackUser = '', ackTime = '' } = alarmOf(id) ?? {};
    const isTaken = (state & 2) === 0 && ackUser !== '';
    return isTaken ? words.actions.taken(names.byName(ackUser), timeText(clock, Date.parse(ackTime))) : reason;
  };
  return (
    <div className={styles.bar} role="toolbar" aria-label={words.alarms.selected(selected.size)}>
      <span className={styles.count}>{words.alarms.selected(selected.size)}</span>
      {whole.length <= selected.size ? null : (
        <Button kind="quiet" onClick={() => selectWhole(whole)}>
          {words.alarms.selectWhole(whole.length)}
        </Button>
      )}
      <Button kind="ink" keyCap="A" blocked={isBusy ? '' : blockedBy('alarms:ack')} onClick={() => acknowledge(ids)}>
        {words.actions.acknowledgeSome(selected.size)}
      </Button>
      <Button keyCap="S" blocked={blockedBy('alarms:mask')} onClick={() => ask({ what: 'mask', ids })}>
        {words.actions.mask}
      </Button>
      <Button keyCap="C" blocked={blockedBy('alarms:ack')} onClick={() => ask({ what: 'comment', ids })}>
        {words.actions.comment}
      </Button>
      {masked.length === 0 ? null : (
        <Button blocked={blockedBy('alarms:mask')} onClick={() => void unmask()}>
          {words.actions.unmaskSome(masked.length)}
        </Button>
      )}
      <Button kind="quiet" keyCap="Esc" onClick={() => setSelected(new Set())}>
        {words.alarms.clear}
      </Button>
      {refused.length === 0 ? null : (
        <ul className={styles.refused} role="alert">
          {refused.map((one) => (
            <li key={one.id}>
              {shortText(alarmOf(one.id)?.text ?? `#${one.id}`)}: {outcomeOf(one)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
