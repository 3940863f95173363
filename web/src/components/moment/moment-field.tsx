// A date and a time of 24 hours, whatever the browser makes of times.

import { type ReactElement, type ReactNode, useState } from 'react';
import { useWords } from '../../words/use-words.ts';
import formStyles from '../form.module.css';
import styles from './moment-field.module.css';

const timePattern = '([01][0-9]|2[0-3]):[0-5][0-9]';

type MomentProps = {
  readonly name: ReactNode;
  /** `2026-11-16T03:00`, or empty. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly required?: boolean;
};

export function MomentField({ name, value, onChange, required = false }: MomentProps): ReactElement {
  const words = useWords().period;
  const [date = '', time = ''] = value.split('T');
  // What is typed of a time stays until the field is left, also while it is none yet.
  const [typed, setTyped] = useState<string>();
  const change = (newDate: string, newTime: string): void =>
    onChange(newDate === '' && newTime === '' ? '' : `${newDate}T${newTime}`);
  const isNeeded = required || value !== '';
  return (
    <fieldset className={formStyles.field}>
      <legend>{name}</legend>
      <div className={styles.moment}>
        <input
          type="date"
          value={date}
          aria-label={words.date}
          required={isNeeded}
          onChange={(event) => change(event.target.value, time)}
        />
        <input
          type="text"
          inputMode="numeric"
          pattern={timePattern}
          placeholder="hh:mm"
          value={typed ?? time}
          aria-label={words.time}
          title="hh:mm"
          required={isNeeded}
          onBlur={() => setTyped(undefined)}
          onChange={(event) => {
            setTyped(event.target.value);
            change(date, event.target.value);
          }}
        />
      </div>
    </fieldset>
  );
}
