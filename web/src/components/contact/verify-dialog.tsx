// Verifies a number: a code is sent there, and given back by whoever has the number.

import { useQueryClient } from '@tanstack/react-query';
import { verifyNumber } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { useUsers } from '../../data/directory.ts';
import { useNames } from '../../data/names.ts';
import { useRefreshOnCall } from '../../data/on-call.ts';
import { useOwnId, useRights } from '../../data/rights.ts';
import { useWords } from '../../words/use-words.ts';
import { Dialog } from '../dialog.tsx';
import { DialogFoot } from '../dialog-foot.tsx';
import styles from '../form.module.css';
import { useSubmit } from '../use-submit.ts';

/** Returns why a person's numbers cannot be verified by who is signed in; undefined if they can. */
export function useVerifyBlocked(userId: number): string | undefined {
  const { blockedBy } = useRights();
  const ownId = useOwnId();
  return ownId === userId ? undefined : blockedBy('admin');
}

type VerifyDialogProps = { readonly userId: number; readonly onClose: () => void };

export function VerifyDialog({ userId, onClose }: VerifyDialogProps): ReactElement {
  const words = useWords().contact.verify;
  const { byId } = useNames();
  const queries = useQueryClient();
  const refresh = useRefreshOnCall();
  const blocked = useVerifyBlocked(userId);
  const users = useUsers();
  const numbers = users
    .choices((all) => all.get(userId)?.numbers ?? [])
    .filter(({ valid, verified }) => valid && !verified);
  const [step, setStep] = useState<{ readonly numberId: number; readonly isDone: boolean }>();
  const { onSubmit, trouble } = useSubmit(async (form) => {
    if (step === undefined) {
      const numberId = Number(form.get('number'));
      await verifyNumber(userId, numberId, {});
      setStep({ numberId, isDone: false });
      return;
    }
    await verifyNumber(userId, step.numberId, { code: String(form.get('code')).trim() });
    setStep({ ...step, isDone: true });
    await Promise.all([queries.invalidateQueries({ queryKey: ['users'] }), refresh()]);
  });
  return (
    <Dialog title={words.title(byId(userId))} intro={words.intro} onClose={onClose}>
      <form className={styles.form} onSubmit={onSubmit}>
        {step === undefined ? (
          <label className={styles.field}>
            {words.number}
            <select name="number" required data-first="">
              {numbers.map(({ id, channel, address }) => (
                <option key={id} value={id}>
                  {channel} {address}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <label className={styles.field}>
            {words.code}
            <input name="code" inputMode="numeric" autoComplete="one-time-code" required disabled={step.isDone} />
          </label>
        )}
        <DialogFoot
          action={step === undefined ? words.send : words.check}
          news={step?.isDone ? words.done : undefined}
          {...{ onClose, trouble, blocked }}
        />
      </form>
    </Dialog>
  );
}
