// One line of a timeline: when, a picture of what, and the text with its reason.

import type { ReactElement } from 'react';
import {
  IconBellRinging,
  IconCheck,
  IconCircle,
  IconEyeOff,
  IconMessage,
  IconMessageCheck,
  IconPhoneCheck,
  IconPhoneOutgoing,
  IconPhoneX,
  IconRefresh,
  IconUsersGroup,
} from '../icons.tsx';
import { plainText } from '../plain-text.ts';
import styles from './line.module.css';
import type { TimelineIcon, TimelineLine } from './past-lines.ts';

const icons: Readonly<Record<TimelineIcon, typeof IconCheck>> = {
  call: IconPhoneOutgoing,
  reached: IconPhoneCheck,
  unanswered: IconPhoneX,
  text: IconMessageCheck,
  group: IconUsersGroup,
  round: IconRefresh,
  raised: IconBellRinging,
  acknowledged: IconCheck,
  cleared: IconCircle,
  comment: IconMessage,
  masked: IconEyeOff,
  other: IconCircle,
};

type LineProps = {
  readonly line: Pick<TimelineLine, 'icon' | 'text' | 'why'>;
  readonly time: string;
  readonly isAhead?: boolean;
};

export function Line({ line, time, isAhead }: LineProps): ReactElement {
  const Icon = icons[line.icon];
  return (
    <li className={styles.line} data-ahead={isAhead ? '' : undefined}>
      <span className={`${styles.time} figures`}>{time}</span>
      <span className={styles.icon}>
        <Icon size={13} stroke={1.75} />
      </span>
      <span className={styles.text}>
        <span className="isolate">{plainText(line.text)}</span>
        {line.why === '' ? null : <span className={styles.why}> — {plainText(line.why)}</span>}
      </span>
    </li>
  );
}
