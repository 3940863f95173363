// Calls people or groups with a text; says who was not reached by the request.

import { callGroups, callUsers } from '@tocsin/client';
import { type FormEvent, type ReactElement, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useCallGroups, useUsers } from '../../data/directory.ts';
import { reasonOf } from '../../data/server.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './call-somebody.module.css';

export function CallSomebody({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords();
  const users = useUsers().data;
  const groups = useCallGroups().data;
  const [trouble, setTrouble] = useState('');
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [kind, id] = String(form.get('whom')).split(':');
    const msgText = String(form.get('text'));
    try {
      const isCalled =
        kind === 'group'
          ? await callGroups({ callGroupIds: [Number(id)], msgText })
          : await callUsers({ userIds: [Number(id)], msgText });
      if (isCalled) onClose();
      else setTrouble(words.calls.notAll);
    } catch (error) {
      setTrouble(reasonOf(error));
    }
  };
  return (
    <Dialog title={words.calls.somebody} onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <label>
          {words.calls.whom}
          <select name="whom" required>
            {[...(groups?.values() ?? [])].map(({ id, name }) => (
              <option key={`group-${id}`} value={`group:${id}`}>
                {name}
              </option>
            ))}
            {[...(users?.values() ?? [])].map(({ id, name, firstName }) => (
              <option key={`user-${id}`} value={`user:${id}`}>
                {firstName || name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.calls.text}
          <textarea name="text" rows={3} required />
        </label>
        <p className={styles.trouble} role="alert">
          {trouble}
        </p>
        <footer>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button type="submit" kind="ink">
            {words.calls.somebody}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
