// A strip that says that the plant is a demo, with its removal; nothing for those who may not remove it.

import { type ReactElement, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useDemo, useDemoActions } from '../../data/demo.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './demo-strip.module.css';

export function DemoStrip(): ReactElement | null {
  const words = useWords().firstStart;
  const demo = useDemo();
  const [isAsking, setAsking] = useState(false);
  if (!demo.isKnown(({ state }) => state !== 'none')) return null;
  return (
    <section className={styles.strip} aria-label={words.strip}>
      <p>
        <b>{words.strip}</b> {words.stripMeans}
      </p>
      <Button onClick={() => setAsking(true)}>{words.removePlant}</Button>
      {isAsking ? <RemovalDialog onClose={() => setAsking(false)} /> : null}
    </section>
  );
}

function RemovalDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords();
  const { doing, trouble, remove } = useDemoActions();
  const isRemoving = doing === 'removing';
  const confirm = async (): Promise<void> => {
    if ((await remove()) === true) onClose();
  };
  return (
    <Dialog title={words.firstStart.removePlant} intro={words.firstStart.removeQuestion} onClose={onClose}>
      {trouble === '' ? null : (
        <p className={styles.trouble} role="alert">
          {trouble}
        </p>
      )}
      <div className={styles.buttons}>
        <Button onClick={onClose}>{words.actions.cancel}</Button>
        <Button kind="ink" onClick={() => void confirm()} blocked={isRemoving ? words.firstStart.removing : undefined}>
          {isRemoving ? words.firstStart.removing : words.firstStart.removePlant}
        </Button>
      </div>
    </Dialog>
  );
}
