// Swaps duty: gives a time to a team or a person, and takes another time in return.

import { type GroupSlots, type SwapDutyBody, swapDuty } from '@tocsin/client';
import type { ReactElement } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { DialogFoot } from '../../components/dialog-foot.tsx';
import styles from '../../components/form.module.css';
import { useSubmit } from '../../components/use-submit.ts';
import { useCallGroups, useTeams, useUsers } from '../../data/directory.ts';
import { useNames } from '../../data/names.ts';
import { useRefreshOnCall } from '../../data/on-call.ts';
import { useRights } from '../../data/rights.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { fieldText, instantOfField } from '../../data/time/zone-time.ts';
import { spanText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import type { Plan } from './use-plan.ts';

type SwapDialogProps = {
  readonly plan: Plan;
  readonly callGroupId: number;
  readonly span: { readonly from: number; readonly to: number };
  readonly onClose: () => void;
};

export function SwapDialog({ plan, callGroupId, span, onClose }: SwapDialogProps): ReactElement {
  const words = useWords().onCall;
  const clock = usePlantClock();
  const { blockedBy } = useRights();
  const refresh = useRefreshOnCall();
  const group = plan.shown.choices(({ groups }) => groups).find((one) => one.plan.callGroupId === callGroupId)?.plan;
  const { onSubmit, trouble } = useSubmit(async (form) => {
    await swapDuty(group?.scheduleId ?? 0, swapOf(form, clock.timeZone));
    await refresh();
    onClose();
  });
  const begin = Math.max(span.from, Date.now());
  return (
    <Dialog
      title={words.swapping.title}
      intro={words.swapping.intro(group?.name ?? '', spanText(clock, span.from, span.to))}
      onClose={onClose}
    >
      <form className={styles.form} onSubmit={onSubmit}>
        <WhomField group={group} />
        <div className={styles.two}>
          <TimeField name="from" label={words.taking.from} at={begin} isNeeded />
          <TimeField name="to" label={words.taking.until} at={span.to} isNeeded />
        </div>
        <fieldset className={styles.field}>
          <legend>
            {words.swapping.inReturn} <span className={styles.hint}>{words.swapping.returnHint}</span>
          </legend>
          <div className={styles.two}>
            <TimeField name="returnFrom" label={words.taking.from} />
            <TimeField name="returnTo" label={words.taking.until} />
          </div>
        </fieldset>
        <label className={styles.field}>
          <span>
            {words.taking.reason} <span className={styles.hint}>{words.taking.reasonHint}</span>
          </span>
          <input name="reason" maxLength={1024} />
        </label>
        <DialogFoot action={words.swapping.title} blocked={blockedBy('directory:write')} {...{ onClose, trouble }} />
      </form>
    </Dialog>
  );
}

function swapOf(form: FormData, timeZone: string | undefined): SwapDutyBody {
  const [kind, id] = String(form.get('whom')).split(':');
  const at = (name: string): string | undefined => {
    const instant = instantOfField(String(form.get(name)), timeZone);
    return instant === undefined ? undefined : new Date(instant).toISOString();
  };
  const [returnFrom, returnTo] = [at('returnFrom'), at('returnTo')];
  return {
    ...(kind === 'team' ? { teamId: Number(id) } : { userId: Number(id) }),
    from: at('from') ?? '',
    to: at('to') ?? '',
    ...(returnFrom === undefined ? {} : { returnFrom }),
    ...(returnTo === undefined ? {} : { returnTo }),
    reason: String(form.get('reason')),
  };
}

/** The teams of the group first, then everybody. */
function WhomField({ group }: { readonly group: GroupSlots | undefined }): ReactElement {
  const words = useWords().onCall.swapping;
  const { byId } = useNames();
  const teams = useTeams();
  const users = useUsers();
  const groups = useCallGroups();
  const teamIds = new Set([
    ...groups.choices((all) => all.get(group?.callGroupId ?? 0)?.teamIds ?? []),
    ...(group?.slots.flatMap((slot) => slot.teamIds) ?? []),
  ]);
  return (
    <label className={styles.field}>
      {words.whom}
      <select name="whom" required defaultValue="" data-first="">
        <option value="" disabled>
          {words.choose}
        </option>
        <optgroup label={words.teams}>
          {[...teamIds].map((id) => (
            <option key={id} value={`team:${id}`}>
              {teams.name((all) => all.get(id)?.name, `#${id}`)}
            </option>
          ))}
        </optgroup>
        <optgroup label={words.people}>
          {users
            .choices((all) => all.keys())
            .map((id) => (
              <option key={id} value={`user:${id}`}>
                {byId(id)}
              </option>
            ))}
        </optgroup>
      </select>
    </label>
  );
}

type TimeFieldProps = {
  readonly name: string;
  readonly label: string;
  readonly at?: number;
  readonly isNeeded?: boolean;
};

function TimeField({ name, label, at, isNeeded = false }: TimeFieldProps): ReactElement {
  const { timeZone } = usePlantClock();
  return (
    <label className={styles.field}>
      {label}
      <input
        type="datetime-local"
        name={name}
        defaultValue={at === undefined ? '' : fieldText(at, timeZone)}
        required={isNeeded}
      />
    </label>
  );
}
