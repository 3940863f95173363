// A row of the plan: the group with who has its duty now and how they are reached, and its blocks.

import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Avatar } from '../../components/avatar.tsx';
import { SystemMark } from '../../components/mark.tsx';
import { useCallGroups, useUsers } from '../../data/directory.ts';
import { unknownFigure } from '../../data/lists/list-state.ts';
import { both } from '../../data/lists/read.ts';
import { useNames } from '../../data/names.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { shortTimeText, soonText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { namesOnDuty, reachText } from './duty-texts.ts';
import { kindOf } from './plan/blocks.ts';
import styles from './plan-row.module.css';
import type { PlanGroup } from './use-plan.ts';

/** Who has the duty of a group now, until when, and how they are reached. */
export function DutyNow({ group }: { readonly group: PlanGroup }): ReactElement {
  const words = useWords();
  const clock = usePlantClock();
  const now = useNow();
  const names = useNames();
  const reach = useReach(group);
  const duty = group.duty.when({ known: (known) => known, unread: () => undefined });
  if (duty === undefined) return <span className={styles.now}>{group.duty.isKnown() ? null : unknownFigure}</span>;
  const kind = kindOf(duty);
  const name =
    kind === 'nobody' ? words.onCall.nobody : kind === 'locked' ? words.onCall.lockedAs('') : namesOnDuty(duty, names);
  const until =
    duty.until === null ? words.onCall.always : words.onCall.until(soonText(clock, Date.parse(duty.until), now));
  return (
    <span className={styles.now} data-kind={kind}>
      {kind === 'nobody' ? <SystemMark size={18} /> : <Avatar name={name} />}
      <span className={styles.who}>
        <span className={styles.line}>
          <b>{name}</b> <span className={styles.until}>{until}</span>
        </span>
        {reach === undefined ? null : (
          <span className={styles.reach} data-bad={reach.isBad ? '' : undefined}>
            {reach.text}
          </span>
        )}
      </span>
    </span>
  );
}

function useReach({ duty, unready, plan }: PlanGroup) {
  const words = useWords();
  const names = useNames();
  const users = useUsers();
  const groups = useCallGroups();
  return both(duty, unready).when({
    unread: () => ({ text: words.onCall.reach.notKnown, isBad: false }),
    known: ([onDuty, wrong]) =>
      onDuty &&
      reachText({
        duty: onDuty,
        unready: wrong,
        users,
        names,
        words,
        groupName: (id) => groups.name((all) => all.get(id)?.name, `#${id}`),
        isDiscarded: groups.isKnown((all) => all.get(plan.callGroupId)?.discardWhenNobodyOnCall === true),
      }),
  });
}

/** The name of the group; a click shows it alone. Its zone is said where it is not that of the plant. */
export function GroupHead({ group }: { readonly group: PlanGroup }): ReactElement {
  const words = useWords().onCall;
  const clock = usePlantClock();
  const now = useNow();
  const { plan, station } = group;
  const isElsewhere = clock.timeZone !== undefined && plan.timeZone !== clock.timeZone;
  return (
    <span className={styles.head}>
      <Link
        from="/oncall"
        to="/oncall"
        search={(before) => ({ ...before, group: plan.callGroupId })}
        className={styles.group ?? ''}
        title={words.onlyGroup(plan.name)}
      >
        {plan.name}
      </Link>{' '}
      <span className={styles.station}>{station}</span>
      {isElsewhere ? (
        <span className={styles.zone}>
          {words.otherZone(cityOf(plan.timeZone), shortTimeText({ ...clock, timeZone: plan.timeZone }, now))}
        </span>
      ) : null}
    </span>
  );
}

/** `America/New_York` is where New York is. */
function cityOf(timeZone: string): string {
  return timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone;
}
