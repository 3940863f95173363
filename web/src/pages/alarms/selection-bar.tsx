// What can be done with the selected alarms, and with all of their groups that the filter leaves.

import type { ReactElement } from 'react';
import { Button } from '../../components/button.tsx';
import { shortText } from '../../components/short-text.ts';
import type { AlarmView } from '../../data/alarm-views.tsx';
import { useNames } from '../../data/names.ts';
import type { Refused } from '../../data/refusals.ts';
import { useRights } from '../../data/rights.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { timeText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import type { Asking } from './asking/asking.ts';
import type { Row } from './order/arrange.ts';
import styles from './selection-bar.module.css';
import { type Selection, wholeOf } from './use-selection.ts';
import type { SelectionCommands } from './use-selection-commands.ts';

type SelectionBarProps = {
  readonly alarms: readonly AlarmView[];
  /** The rows of the list. */
  readonly rows: readonly Row[];
  /** Whether the rows are all that the filter leaves. */
  readonly isFilterKnown: boolean;
  readonly selection: Selection;
  readonly ask: (asking: Asking) => void;
  readonly commands: SelectionCommands;
};

/** More are counted. */
const mostRefused = 20;

export function SelectionBar(props: SelectionBarProps): ReactElement | null {
  const { alarms, rows, isFilterKnown, selection, ask } = props;
  const { selected, setSelected, selectWhole, isWhole } = selection;
  const { acknowledgeOrAsk, unmaskOrAsk, isBusy } = props.commands;
  const words = useWords();
  const { blockedBy } = useRights();
  const names = useNames();
  const clock = usePlantClock();
  if (selected.size === 0) return null;
  const ids = [...selected];
  const whole = wholeOf(rows, selected, isFilterKnown);
  const refused = props.commands.refused.filter(({ id }) => selected.has(id));
  const masked = alarms.flatMap(({ id, masked: isMasked }) => (isMasked && selected.has(id) ? [id] : []));
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
      <Button
        kind="ink"
        keyCap="A"
        blocked={isBusy ? '' : blockedBy('alarms:ack')}
        onClick={() => acknowledgeOrAsk(ids)}
      >
        {words.actions.acknowledgeSome(selected.size)}
      </Button>
      <Button keyCap="S" blocked={blockedBy('alarms:mask')} onClick={() => ask({ what: 'mask', ids, isWhole })}>
        {words.actions.mask}
      </Button>
      <Button keyCap="C" blocked={blockedBy('alarms:ack')} onClick={() => ask({ what: 'comment', ids, isWhole })}>
        {words.actions.comment}
      </Button>
      {masked.length === 0 ? null : (
        <Button blocked={isBusy ? '' : blockedBy('alarms:mask')} onClick={() => unmaskOrAsk(masked)}>
          {words.actions.unmaskSome(masked.length)}
        </Button>
      )}
      <Button kind="quiet" keyCap="Esc" onClick={() => setSelected(new Set())}>
        {words.alarms.clear}
      </Button>
      {refused.length === 0 ? null : (
        <ul className={styles.refused} role="alert">
          {refused.slice(0, mostRefused).map((one) => (
            <li key={one.id}>
              {shortText(alarmOf(one.id)?.text ?? `#${one.id}`)}: {outcomeOf(one)}
            </li>
          ))}
          {refused.length <= mostRefused ? null : <li>{words.alarms.moreRefused(refused.length - mostRefused)}</li>}
        </ul>
      )}
    </div>
  );
}
