// All fields of an alarm, for those who look closer.

import type { FullAlarm } from '@tocsin/client';
import type { ReactElement } from 'react';
import { Button } from '../../../components/button.tsx';
import { plainText } from '../../../components/plain-text.ts';
import { useWords } from '../../../words/use-words.ts';
import styles from './panel-details.module.css';

export function PanelDetails({ alarm }: { readonly alarm: FullAlarm }): ReactElement {
  const words = useWords().panel;
  const json = JSON.stringify(alarm, null, 2);
  const fields = Object.entries(alarm).filter(([, value]) => value !== '' && value !== undefined);
  return (
    <div className={styles.details}>
      <dl>
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt className="mono">{name}</dt>
            <dd className="isolate">{plainText(typeof value === 'object' ? JSON.stringify(value) : String(value))}</dd>
          </div>
        ))}
      </dl>
      <Button onClick={() => void navigator.clipboard.writeText(json)}>{words.copyJson}</Button>
    </div>
  );
}
