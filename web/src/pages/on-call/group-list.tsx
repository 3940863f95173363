// The groups as a list for a phone: who has the duty now, until when, and who is next.

import type { ReactElement } from 'react';
import { Button } from '../../components/button.tsx';
import { useNames } from '../../data/names.ts';
import { useRights } from '../../data/rights.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { soonText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './group-list.module.css';
import type { OpenDialog } from './on-call-dialogs.tsx';
import { handOversOf } from './plan/hand-overs.ts';
import { DutyNow, GroupHead } from './plan-row.tsx';
import type { PlanGroup, ReadPlan } from './use-plan.ts';

type GroupListProps = { readonly plan: ReadPlan; readonly openDialog: (dialog: OpenDialog) => void };

export function GroupList({ plan, openDialog }: GroupListProps): ReactElement {
  return (
    <ul className={styles.list}>
      {plan.groups.map((group) => (
        <GroupItem key={group.plan.callGroupId} {...{ group, plan, openDialog }} />
      ))}
    </ul>
  );
}

function GroupItem({ group, plan, openDialog }: GroupListProps & { readonly group: PlanGroup }): ReactElement {
  const words = useWords().onCall;
  const clock = usePlantClock();
  const now = useNow();
  const { byId } = useNames();
  const { blockedBy } = useRights();
  const { callGroupId, scheduleId } = group.plan;
  const [next] = plan.coming.choices((coming) =>
    handOversOf(
      coming.filter((one) => one.callGroupId === callGroupId),
      now,
      1,
    ),
  );
  const after = next?.after.isLocked
    ? words.summary.locked
    : next?.after.userIds.length === 0
      ? words.summary.nobody
      : next?.after.userIds.map(byId).join(', ');
  const blocked = blockedBy('alarms:ack') ?? (scheduleId === null ? words.noSchedule : undefined);
  return (
    <li className={styles.item}>
      <GroupHead group={group} />
      <DutyNow group={group} />
      {next === undefined || after === undefined ? null : (
        <p className={styles.next}>{words.next(soonText(clock, next.at, now), after)}</p>
      )}
      <Button isWide blocked={blocked} onClick={() => openDialog({ kind: 'take', callGroupId })}>
        {words.take}
      </Button>
    </li>
  );
}
