// A phone in a call: what the voice says as bubbles, and a keypad with the menu under its keys.

import { type ReactElement, useEffect, useRef } from 'react';
import { useNow } from '../../data/time/now.ts';
import { minutesText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { IconPhoneOff } from '../icons.tsx';
import styles from './in-call.module.css';
import { MarkedText } from './marked-text.tsx';
import type { Spoken } from './use-conversation.ts';
import type { PhoneControl } from './use-phone-control.ts';
import { phoneKeys } from './use-phone-control.ts';

export function InCall({ control }: { readonly control: PhoneControl }): ReactElement {
  const words = useWords().phones;
  const now = useNow();
  const { phone, spoken, press, hangUp, trouble, blocked } = control;
  const sinceMs = phone.call === undefined ? 0 : now - Date.parse(phone.call.time);
  return (
    <div className={styles.call}>
      <header className={styles.head}>
        <b>Tocsin</b>
        <span className="figures">
          {words.inTheCall} · {minutesText(sinceMs)}
        </span>
      </header>
      <Bubbles spoken={spoken} />
      <div className={styles.keys}>
        {phoneKeys.map((key) => (
          <button
            key={key}
            type="button"
            data-first={key === '1' ? '' : undefined}
            disabled={blocked !== undefined}
            title={blocked}
            onClick={() => press(key)}
          >
            <b>{key}</b>
            <span>{words.keys[key] ?? ''}</span>
          </button>
        ))}
      </div>
      <button
        type="button"
        className={styles.hangUp}
        onClick={hangUp}
        aria-label={words.hangUp}
        disabled={blocked !== undefined}
        title={blocked}
      >
        <IconPhoneOff size={22} stroke={1.6} />
      </button>
      <p className={styles.trouble} role="alert">
        {trouble}
      </p>
    </div>
  );
}

function Bubbles({ spoken }: { readonly spoken: readonly Spoken[] }): ReactElement {
  const list = useRef<HTMLOListElement>(null);
  const count = spoken.length;
  useEffect(() => {
    if (count > 0) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [count]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
    <ol ref={list} className={styles.bubbles} aria-live="polite" tabIndex={0}>
      {spoken.map(({ id, direction, text }) => (
        <li key={id} className={styles.bubble} data-direction={direction}>
          <MarkedText text={text} />
        </li>
      ))}
    </ol>
  );
}
