// The strips above the plan: times without anybody, people who cannot be reached, overlaps; each with what mends it.

import type { GroupSlots, UnreachablePerson } from '@tocsin/client';
import { type ReactElement, type ReactNode, useState } from 'react';
import { TestCallNews, useTestCall } from '../../components/contact/test-call.tsx';
import { useVerifyBlocked, VerifyDialog } from '../../components/contact/verify-dialog.tsx';
import { IconLayersIntersect } from '../../components/icons.tsx';
import { SystemMark } from '../../components/mark.tsx';
import { useNames } from '../../data/names.ts';
import { useRights } from '../../data/rights.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { spanText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { comingGaps, useGapTimes } from './gap-times.ts';
import type { OpenDialog } from './on-call-dialogs.tsx';
import styles from './strips.module.css';
import type { Plan } from './use-plan.ts';

const mostStrips = 6;

type StripsProps = { readonly plan: Plan; readonly openDialog: (dialog: OpenDialog) => void };

export function Strips({ plan, openDialog }: StripsProps): ReactElement | null {
  const words = useWords().onCall.strip;
  const now = useNow();
  const [isWhole, setWhole] = useState(false);
  const coming = plan.coming.choices((all) => all);
  const strips = [
    ...coming.flatMap((group) => {
      const gaps = comingGaps(group, now);
      return gaps.length === 0 ? [] : [<GapStrip key={`gap-${group.callGroupId}`} {...{ group, gaps, openDialog }} />];
    }),
    ...unreachableOf(plan).map((person) => <PersonStrip key={`person-${person.userId}`} person={person} />),
    ...coming
      .filter(({ overlaps }) => overlaps.length > 0)
      .map((group) => <OverlapStrip key={`overlap-${group.callGroupId}`} group={group} />),
  ];
  if (strips.length === 0) return null;
  const shown = isWhole || strips.length <= mostStrips ? strips : strips.slice(0, mostStrips - 1);
  return (
    <ul className={styles.strips}>
      {shown}
      {strips.length > mostStrips ? (
        <li>
          <button type="button" className={styles.more} aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? words.fewer : words.others(strips.length - shown.length)}
          </button>
        </li>
      ) : null}
    </ul>
  );
}

/** Each person once, for the first of the causes that comes. */
function unreachableOf({ unready }: Plan): readonly UnreachablePerson[] {
  const people = new Map<number, UnreachablePerson>();
  for (const { unreachable, ahead } of unready.choices((all) => all))
    for (const person of [unreachable, ...ahead.map((span) => span.unreachable)].flat())
      if (!people.has(person.userId)) people.set(person.userId, person);
  return [...people.values()];
}

type StripProps = { readonly isBad: boolean; readonly icon: ReactNode; readonly children: ReactNode };

function Strip({ isBad, icon, children }: StripProps): ReactElement {
  return (
    <li className={styles.strip} data-bad={isBad ? '' : undefined}>
      {icon}
      <span className={styles.content}>{children}</span>
    </li>
  );
}

const diamond = <SystemMark size={14} />;

type GapStripProps = {
  readonly group: GroupSlots;
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  readonly openDialog: (dialog: OpenDialog) => void;
};

function GapStrip({ group, gaps, openDialog }: GapStripProps): ReactElement {
  const words = useWords().onCall;
  const gapTimes = useGapTimes();
  const { blockedBy } = useRights();
  const blocked = blockedBy('alarms:ack') ?? (group.scheduleId === null ? words.noSchedule : undefined);
  const [first] = gaps;
  return (
    <Strip isBad icon={diamond}>
      <b>{words.strip.nobody(group.name)}</b> {gapTimes(gaps)}{' '}
      <button
        type="button"
        className={styles.action}
        disabled={blocked !== undefined}
        title={blocked}
        onClick={() => openDialog({ kind: 'take', callGroupId: group.callGroupId, span: first })}
      >
        {words.take}
      </button>
    </Strip>
  );
}

function PersonStrip({ person: { userId, user, cause } }: { readonly person: UnreachablePerson }): ReactElement {
  const words = useWords().onCall;
  const { byId } = useNames();
  const { blockedBy } = useRights();
  const test = useTestCall([userId]);
  const [isVerifying, setVerifying] = useState(false);
  const verifyBlocked = useVerifyBlocked(userId);
  const name = userId === 0 ? user : byId(userId);
  const isVerify = cause === 'notVerified';
  const blocked = isVerify ? verifyBlocked : blockedBy('calls:send');
  return (
    <Strip isBad icon={diamond}>
      <b>{words.strip[cause](name)}</b>{' '}
      {userId === 0 || cause === 'noNumber' ? null : (
        <button
          type="button"
          className={styles.action}
          disabled={blocked !== undefined}
          title={blocked}
          onClick={() => (isVerify ? setVerifying(true) : void test.begin())}
        >
          {isVerify ? words.verify : words.testCall}
        </button>
      )}
      <TestCallNews test={test} />
      {isVerifying ? <VerifyDialog userId={userId} onClose={() => setVerifying(false)} /> : null}
    </Strip>
  );
}

function OverlapStrip({ group }: { readonly group: GroupSlots }): ReactElement {
  const words = useWords().onCall.strip;
  const clock = usePlantClock();
  const [first] = group.overlaps;
  const more = group.overlaps.length - 1;
  return (
    <Strip isBad={false} icon={<IconLayersIntersect size={16} stroke={1.75} />}>
      {words.overlap(group.name)}{' '}
      <b>{first === undefined ? '' : spanText(clock, Date.parse(first.from), Date.parse(first.to))}</b>
      {more > 0 ? ` ${words.more(more)}` : ''}
    </Strip>
  );
}
