// Holds a drill: calls a group as an alarm would, marked as a test everywhere.

import { drillCallGroup } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { useCallGroups } from '../../data/directory.ts';
import { useRights } from '../../data/rights.ts';
import { useWords } from '../../words/use-words.ts';
import { Dialog } from '../dialog.tsx';
import { DialogFoot } from '../dialog-foot.tsx';
import styles from '../form.module.css';
import { useSubmit } from '../use-submit.ts';

type DrillDialogProps = {
  /** The group that is chosen first. */
  readonly callGroupId?: number | undefined;
  readonly onClose: () => void;
};

export function DrillDialog({ callGroupId, onClose }: DrillDialogProps): ReactElement {
  const { contact, lists } = useWords();
  const words = contact.drill;
  const known = useCallGroups();
  const groups = known.choices((all) => all.values());
  const { blockedBy } = useRights();
  const [isHeld, setHeld] = useState(false);
  const { onSubmit, trouble } = useSubmit(async (form) => {
    await drillCallGroup(Number(form.get('group')), { msgText: String(form.get('text')) });
    setHeld(true);
  });
  const blocked =
    blockedBy('calls:send') ?? (groups.length === 0 ? (known.isKnown() ? words.noGroups : lists.reading) : undefined);
  return (
    <Dialog title={words.title} intro={words.intro} onClose={onClose}>
      <form className={styles.form} onSubmit={onSubmit}>
        <label className={styles.field}>
          {words.group}
          <select name="group" defaultValue={callGroupId} required data-first="">
            {groups.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className={styles.field}>
          {words.text}
          <textarea name="text" rows={2} defaultValue={words.usual} maxLength={1000} />
        </label>
        <DialogFoot action={words.action} news={isHeld ? words.held : undefined} {...{ onClose, trouble, blocked }} />
      </form>
    </Dialog>
  );
}
