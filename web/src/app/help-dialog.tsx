// The keys of the console.

import type { ReactElement } from 'react';
import { KeyCap } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { useWords } from '../words/use-words.ts';
import styles from './help-dialog.module.css';

export function HelpDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords().help;
  return (
    <Dialog title={words.title} onClose={onClose}>
      <dl className={styles.keys}>
        {words.rows.map(([keys = '', meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split('  ').map((key) => (
                <KeyCap key={key}>{key}</KeyCap>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
