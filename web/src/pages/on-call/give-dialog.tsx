// Gives one's own duty to somebody else, for two hours, or to its end if that is sooner, unless another end is chosen.

import { type GroupSlots, takeDuty } from '@tocsin/client';
import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { DialogFoot } from '../../components/dialog-foot.tsx';
import styles from '../../components/form.module.css';
import { MomentField } from '../../components/moment/moment-field.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { useTeams, useUsers } from '../../data/directory.ts';
import { useNames } from '../../data/names.ts';
import { useRefreshOnCall } from '../../data/on-call.ts';
import { useOwnId, useRights } from '../../data/rights.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { fieldText, instantOfField } from '../../data/time/zone-time.ts';
import { useWords } from '../../words/use-words.ts';
import { givenUntil } from './plan/given-until.ts';
import { Ends, endsOf, GroupField, hourMs, shortHours } from './take-dialog.tsx';
import type { Plan } from './use-plan.ts';

type GiveDialogProps = { readonly plan: Plan; readonly onClose: () => void };

/** The groups with a schedule in which this user has the duty now. */
export function useOwnDuties(plan: Plan): readonly GroupSlots[] {
  const userId = useOwnId();
  const now = useNow();
  const isOwn = ({ scheduleId, slots }: GroupSlots): boolean =>
    scheduleId !== null &&
    slots.some(
      ({ from, to, members }) =>
        Date.parse(from) <= now && now < Date.parse(to) && members.some((member) => member.userId === userId),
    );
  return plan.coming.choices((all) => all.filter(isOwn));
}

export function GiveDialog({ plan, onClose }: GiveDialogProps): ReactElement {
  const words = useWords().onCall;
  const { timeZone } = usePlantClock();
  const now = useNow();
  const groups = useOwnDuties(plan);
  const [chosenId, setChosenId] = useState(groups[0]?.callGroupId);
  const group = groups.find((one) => one.callGroupId === chosenId);
  const ownId = useOwnId();
  const [begun] = useState(Date.now);
  const [chosenUntil, setUntil] = useState<string>();
  const proposed = givenUntil(group?.slots ?? [], ownId, begun, shortHours * hourMs);
  const until = chosenUntil ?? fieldText(proposed, timeZone);
  const submit = useGive({ group, isRead: plan.coming.isKnown(), until, onClose });
  return (
    <Dialog title={words.give} intro={words.giving.intro} onClose={onClose}>
      <form className={styles.form} onSubmit={submit.onSubmit}>
        <Person group={group} />
        <GroupField {...{ groups, chosenId }} choose={setChosenId} />
        <MomentField name={words.taking.until} value={until} onChange={setUntil} required />
        <Ends begin={undefined} ends={endsOf(group, now)} shownUntil={until} setUntil={setUntil} />
        <label className={styles.field}>
          <span>
            {words.taking.reason} <span className={styles.hint}>{words.taking.reasonHint}</span>
          </span>
          <input name="reason" maxLength={1024} />
        </label>
        <DialogFoot action={words.give} onClose={onClose} trouble={submit.trouble} blocked={submit.blocked} />
      </form>
    </Dialog>
  );
}

type Given = {
  readonly group: GroupSlots | undefined;
  readonly isRead: boolean;
  readonly until: string;
  readonly onClose: () => void;
};

function useGive({ group, isRead, until, onClose }: Given) {
  const { onCall: words, lists } = useWords();
  const { timeZone } = usePlantClock();
  const { blockedBy } = useRights();
  const refresh = useRefreshOnCall();
  const submit = useSubmit(async (form) => {
    const end = instantOfField(until, timeZone);
    if (group === undefined || group.scheduleId === null || end === undefined) return;
    const reason = String(form.get('reason'));
    const to = new Date(end).toISOString();
    const userId = Number(form.get('whom'));
    await takeDuty(group.scheduleId, { userId, to, ...(reason === '' ? {} : { reason }) });
    await refresh();
    onClose();
  });
  const noGroup = isRead ? words.giving.noDuty : lists.reading;
  const missing = group === undefined ? noGroup : until === '' ? words.taking.endNeeded : undefined;
  return { ...submit, blocked: blockedBy('directory:write') ?? missing };
}

/** A list of choices takes Enter for itself; who has typed a name is done. */
function submitOnEnter(event: KeyboardEvent<HTMLSelectElement>): void {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** Those of the teams on duty come first, then everybody else. */
function Person({ group }: { readonly group: GroupSlots | undefined }): ReactElement {
  const words = useWords().onCall;
  const { byId } = useNames();
  const ownId = useOwnId();
  const users = useUsers().choices((all) => [...all.keys()].filter((id) => id !== ownId));
  const teamIds = new Set(group?.slots.flatMap((slot) => slot.teamIds));
  const teams = useTeams().choices((all) => [...all.values()].filter(({ id }) => teamIds.has(id)));
  const ofGroup = new Set(teams.flatMap(({ members }) => members.map(({ userId }) => userId)));
  const ordered = [...users.filter((id) => ofGroup.has(id)), ...users.filter((id) => !ofGroup.has(id))];
  return (
    <label className={styles.field}>
      {words.swapping.whom}
      <select name="whom" required defaultValue="" data-first="" onKeyDown={submitOnEnter}>
        <option value="" disabled>
          {words.swapping.choose}
        </option>
        {ordered.map((id) => (
          <option key={id} value={id}>
            {byId(id)}
          </option>
        ))}
      </select>
    </label>
  );
}
