// Confirms that the masks of alarms end that were not all on screen. What is refused the bar of the selection says.

import { type FormEvent, type ReactElement, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import type { AlarmView } from '../../../data/alarm-views.tsx';
import { useRights } from '../../../data/rights.ts';
import { useWords } from '../../../words/use-words.ts';
import styles from './mask-dialog.module.css';
import { MeantAlarms } from './meant-alarms.tsx';

type UnmaskDialogProps = {
  readonly alarms: readonly AlarmView[];
  /** Leaves out those that are not meant any more. */
  readonly narrow: (ids: readonly number[]) => readonly number[];
  readonly unmask: (ids: readonly number[]) => Promise<unknown>;
  readonly onClose: () => void;
};

export function UnmaskDialog({ alarms, narrow, unmask, onClose }: UnmaskDialogProps): ReactElement {
  const words = useWords().actions;
  const { blockedBy } = useRights();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    await unmask(narrow(alarms.map(({ id }) => id)));
    onClose();
  };
  return (
    <Dialog title={words.unmaskSome(alarms.length)} onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void submit(event)}>
        <MeantAlarms alarms={alarms} refused={new Map()} />
        <footer className={styles.foot}>
          <Button keyCap="Esc" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" kind="ink" blocked={isBusy ? '' : blockedBy('alarms:mask')}>
            {words.unmaskSome(alarms.length)}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
