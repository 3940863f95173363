// Raises a test alarm that calls a group: temporary and gone once somebody has taken it.

import { sendAlarm } from '@tocsin/client';
import type { ReactElement } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { DialogFoot } from '../../components/dialog-foot.tsx';
import styles from '../../components/form.module.css';
import { useSubmit } from '../../components/use-submit.ts';
import { useCallGroups } from '../../data/directory.ts';
import { useRights } from '../../data/rights.ts';
import { useWords } from '../../words/use-words.ts';

const priorities = [1, 2, 3, 4] as const;

export function TestAlarmDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords();
  const known = useCallGroups();
  const groups = known.choices((all) => all.values());
  const { blockedBy } = useRights();
  const { onSubmit, trouble } = useSubmit(async (form) => {
    const callGroupId = Number(form.get('group'));
    const stationId = groups.find(({ id }) => id === callGroupId)?.stationId;
    await sendAlarm({
      alarmMessage: String(form.get('text')),
      priority: Number(form.get('priority')),
      temporary: true,
      eventCondition: { transitory: true },
      alarmActions: [{ type: 'CallGroup', id: callGroupId }],
      ...(stationId === undefined ? {} : { stationId }),
    });
    onClose();
  });
  const blocked =
    blockedBy('alarms:write') ??
    (groups.length === 0 ? (known.isKnown() ? words.contact.drill.noGroups : words.lists.reading) : undefined);
  const { testAlarm } = words.phones;
  return (
    <Dialog title={testAlarm.title} intro={testAlarm.intro} onClose={onClose}>
      <form className={styles.form} onSubmit={onSubmit}>
        <label className={styles.field}>
          {words.contact.drill.group}
          <select name="group" required data-first="">
            {groups.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className={styles.field}>
          {words.alarms.priority}
          <select name="priority" defaultValue={2}>
            {priorities.map((priority) => (
              <option key={priority} value={priority}>
                {words.mark.priority(priority)}
              </option>
            ))}
          </select>
        </label>
        <label className={styles.field}>
          {words.alarms.columns.message}
          <input name="text" defaultValue={testAlarm.usual} required maxLength={1000} />
        </label>
        <DialogFoot action={testAlarm.title} {...{ onClose, trouble, blocked }} />
      </form>
    </Dialog>
  );
}
