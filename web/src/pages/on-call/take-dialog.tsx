// Takes the duty of a group: until when, with the next hand-overs proposed, and why.

import { type GroupSlots, takeDuty } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { DialogFoot } from '../../components/dialog-foot.tsx';
import styles from '../../components/form.module.css';
import { MomentField } from '../../components/moment/moment-field.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { useRefreshOnCall } from '../../data/on-call.ts';
import { useRights } from '../../data/rights.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { fieldText, instantOfField } from '../../data/time/zone-time.ts';
import { soonText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { kindOf } from './plan/blocks.ts';
import { type Plan, useIsOwn } from './use-plan.ts';

type Span = { readonly from: number; readonly to: number };

type TakeDialogProps = {
  readonly plan: Plan;
  readonly callGroupId: number | undefined;
  readonly span: Span | undefined;
  readonly onClose: () => void;
};

/** How many hand-overs are proposed as ends. */
const mostEnds = 3;
export const hourMs = 3_600_000;
/** The time for which a duty is often taken over. */
export const shortHours = 2;

export function TakeDialog({ plan, callGroupId, span, onClose }: TakeDialogProps): ReactElement {
  const words = useWords().onCall;
  const { timeZone } = usePlantClock();
  const now = useNow();
  const groups = plan.coming.choices((all) => all.filter(({ scheduleId }) => scheduleId !== null));
  const first = useFirstGroup(groups, now);
  const [chosenId = first?.callGroupId, setChosenId] = useState(callGroupId);
  const group = groups.find((one) => one.callGroupId === chosenId);
  const begin = span !== undefined && span.from > now ? span.from : undefined;
  const [from, setFrom] = useState(begin === undefined ? '' : fieldText(begin, timeZone));
  const [until, setUntil] = useState<string>();
  const ends = endsOf(group, instantOfField(from, timeZone) ?? now);
  const proposed = span !== undefined && span.to > now && chosenId === callGroupId ? span.to : ends[0];
  const shownUntil = until ?? (proposed === undefined ? '' : fieldText(proposed, timeZone));
  const submit = useTake({ group, isRead: plan.coming.isKnown(), from, until: shownUntil, onClose });
  return (
    <Dialog title={words.take} intro={words.taking.intro} onClose={onClose}>
      <form className={styles.form} onSubmit={submit.onSubmit}>
        <GroupField {...{ groups, chosenId }} choose={(id) => [setChosenId(id), setUntil(undefined)]} />
        <div className={styles.two}>
          <MomentField
            name={
              <>
                {words.taking.from} <span className={styles.hint}>{from === '' ? words.taking.now : ''}</span>
              </>
            }
            value={from}
            onChange={setFrom}
          />
          <MomentField name={words.taking.until} value={shownUntil} onChange={setUntil} required />
        </div>
        <Ends {...{ ends, shownUntil, setUntil }} begin={instantOfField(from, timeZone)} />
        <label className={styles.field}>
          <span>
            {words.taking.reason} <span className={styles.hint}>{words.taking.reasonHint}</span>
          </span>
          <input name="reason" maxLength={1024} data-first="" />
        </label>
        <DialogFoot action={words.take} onClose={onClose} trouble={submit.trouble} blocked={submit.blocked} />
      </form>
    </Dialog>
  );
}

/** The group that needs somebody most: without anybody, else an own one, else the first. */
function useFirstGroup(groups: readonly GroupSlots[], now: number): GroupSlots | undefined {
  const isOwn = useIsOwn();
  const isUncovered = ({ slots }: GroupSlots): boolean =>
    slots.some((slot) => kindOf(slot) === 'nobody' && Date.parse(slot.from) <= now && now < Date.parse(slot.to));
  return groups.find(isUncovered) ?? groups.find(isOwn) ?? groups[0];
}

/** The next hand-overs of a group from an instant on. */
export function endsOf(group: GroupSlots | undefined, from: number): readonly number[] {
  return (group?.slots ?? [])
    .map(({ to }) => Date.parse(to))
    .filter((to) => to > from)
    .slice(0, mostEnds);
}

type Taken = {
  readonly group: GroupSlots | undefined;
  readonly isRead: boolean;
  readonly from: string;
  readonly until: string;
  readonly onClose: () => void;
};

function useTake({ group, isRead, from, until, onClose }: Taken) {
  const { onCall: words, lists } = useWords();
  const { timeZone } = usePlantClock();
  const { blockedBy } = useRights();
  const refresh = useRefreshOnCall();
  const submit = useSubmit(async (form) => {
    const [begin, end] = [instantOfField(from, timeZone), instantOfField(until, timeZone)];
    if (group === undefined || group.scheduleId === null || end === undefined) return;
    const reason = String(form.get('reason'));
    await takeDuty(group.scheduleId, {
      to: new Date(end).toISOString(),
      ...(begin === undefined ? {} : { from: new Date(begin).toISOString() }),
      ...(reason === '' ? {} : { reason }),
    });
    await refresh();
    onClose();
  });
  const missing =
    group === undefined
      ? isRead
        ? words.noTakeable
        : lists.reading
      : until === ''
        ? words.taking.endNeeded
        : undefined;
  return { ...submit, blocked: blockedBy('alarms:ack') ?? missing };
}

type GroupFieldProps = {
  readonly groups: readonly GroupSlots[];
  readonly chosenId: number | undefined;
  readonly choose: (id: number) => void;
};

export function GroupField({ groups, chosenId, choose }: GroupFieldProps): ReactElement {
  const words = useWords().onCall.taking;
  return (
    <label className={styles.field}>
      {words.group}
      <select value={chosenId} onChange={(event) => choose(Number(event.target.value))} required>
        {groups.map(({ callGroupId, name }) => (
          <option key={callGroupId} value={callGroupId}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

type EndsProps = {
  /** Undefined: now. */
  readonly begin: number | undefined;
  readonly ends: readonly number[];
  readonly shownUntil: string;
  readonly setUntil: (until: string) => void;
};

export function Ends({ begin, ends, shownUntil, setUntil }: EndsProps): ReactElement {
  const words = useWords().onCall.taking;
  const clock = usePlantClock();
  const now = useNow();
  const choices = [
    [words.hours(shortHours), (begin ?? now) + shortHours * hourMs] as const,
    ...ends.map((end) => [words.handOver(soonText(clock, end, now)), end] as const),
  ];
  return (
    <div className={styles.chips}>
      {choices.map(([name, end]) => {
        const text = fieldText(end, clock.timeZone);
        return (
          <button key={name} type="button" aria-pressed={text === shownUntil} onClick={() => setUntil(text)}>
            {name}
          </button>
        );
      })}
    </div>
  );
}
