// Asks for the name of a view, and whether others see it too.

import { type FormEvent, type ReactElement, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { useRights } from '../../../data/rights.ts';
import { reasonOf } from '../../../data/server.ts';
import { useWords } from '../../../words/use-words.ts';
import styles from './view-tabs.module.css';

type SaveProps = {
  readonly name: string;
  readonly isShared: boolean;
  readonly onSave: (name: string, isShared: boolean) => Promise<void>;
  readonly onClose: () => void;
};

export function SaveViewDialog({ onSave, onClose, ...view }: SaveProps): ReactElement {
  const words = useWords();
  const { blockedBy } = useRights();
  const [name, setName] = useState(view.name);
  const [isShared, setShared] = useState(view.isShared);
  const [refusal, setRefusal] = useState('');
  const cannotShare = blockedBy('directory:write');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    try {
      await onSave(name.trim(), isShared);
      onClose();
    } catch (error) {
      setRefusal(reasonOf(error));
    }
  };
  return (
    <Dialog title={words.alarms.saveView} intro={words.alarms.saveViewMeans} onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <input
          value={name}
          onChange={(event) => setName(event.target.value)}
          aria-label={words.alarms.viewName}
          placeholder={words.alarms.viewName}
          maxLength={256}
          required
          autoFocus
        />
        <label className={styles.share} title={cannotShare}>
          <input
            type="checkbox"
            checked={isShared}
            disabled={cannotShare !== undefined}
            onChange={(event) => setShared(event.target.checked)}
          />
          {words.alarms.shareView}
        </label>
        <p className={styles.refusal} role="alert">
          {refusal}
        </p>
        <footer className={styles.foot}>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button type="submit" kind="ink">
            {words.alarms.saveView}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
