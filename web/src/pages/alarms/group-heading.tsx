// The heading of a group of the alarm list, with a box that takes what is on screen of the group.

import type { ReactElement } from 'react';
import { figureOf } from '../../data/lists/list-state.ts';
import { useLive } from '../../data/use-live.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './alarm-list.module.css';
import type { Group } from './order/arrange.ts';
import type { Selection } from './use-selection.ts';

export const headingPx = 26;

type HeadingProps = {
  readonly group: Group;
  readonly count: number;
  readonly top: number;
  /** The alarms of the group that are on screen now. */
  readonly onScreen: () => readonly number[];
  readonly selection: Selection;
};

export function GroupHeading({
  group,
  count,
  top,
  onScreen,
  selection: { selected, setSelected },
}: HeadingProps): ReactElement {
  const words = useWords().alarms;
  const { alarmList } = useLive();
  /** Takes what is on screen of the group; if all of it is selected, gives it back. */
  const choose = (): void => {
    const ids = new Set(onScreen());
    setSelected(ids.isSubsetOf(selected) ? selected.difference(ids) : selected.union(ids));
  };
  return (
    <div className={styles.heading} style={{ transform: `translateY(${top}px)`, height: headingPx }} role="row">
      <span role="gridcell" className={styles.headingBox} data-any={selected.size > 0 ? '' : undefined}>
        <input
          type="checkbox"
          checked={selected.size > 0 && new Set(onScreen()).isSubsetOf(selected)}
          readOnly
          onClick={choose}
          aria-label={words.selectGroup(words[group])}
        />
      </span>
      <span role="gridcell">
        {words[group]} <span className={`${styles.headingCount} figures`}>{figureOf(alarmList, count)}</span>
      </span>
    </div>
  );
}
