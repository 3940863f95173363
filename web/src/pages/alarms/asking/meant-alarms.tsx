// The alarms that a dialog is about, each with the reason of its refusal.

import type { ReactElement } from 'react';
import { Mark } from '../../../components/mark.tsx';
import { shortText } from '../../../components/short-text.ts';
import type { AlarmView } from '../../../data/alarm-views.tsx';
import { useWords } from '../../../words/use-words.ts';
import styles from './mask-dialog.module.css';

type MeantProps = {
  readonly alarms: readonly AlarmView[];
  readonly refused: ReadonlyMap<number, string>;
  /** What is said at the right of those that are being called for. */
  readonly callsEnd?: string;
};

/** More are counted. */
const mostShown = 100;

export function MeantAlarms({ alarms, refused, callsEnd }: MeantProps): ReactElement {
  const words = useWords().calls;
  const isLeft = ({ id }: AlarmView): number => (refused.has(id) ? 0 : 1);
  const shown = alarms.toSorted((one, other) => isLeft(one) - isLeft(other)).slice(0, mostShown);
  const more = alarms.length - shown.length;
  return (
    <ul className={styles.alarms}>
      {shown.map((alarm) => (
        <li key={alarm.id}>
          <Mark {...alarm} size={20} />
          <span className={styles.name}>
            <b className="isolate">{shortText(alarm.text)}</b> {alarm.station}
            {refused.has(alarm.id) ? (
              <span className={styles.refused} role="alert">
                {refused.get(alarm.id)}
              </span>
            ) : null}
          </span>
          {callsEnd !== undefined && alarm.openCalls.length > 0 ? (
            <span className={styles.hint}>{callsEnd}</span>
          ) : null}
        </li>
      ))}
      {more === 0 ? null : <li>{words.more(more)}</li>}
    </ul>
  );
}
