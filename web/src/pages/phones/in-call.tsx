// A phone in a call: what the voice says as bubbles, and a keypad with the menu under its keys.

import { hangUpPhone } from '@tocsin/client';
import { type KeyboardEvent, type ReactElement, useEffect, useRef } from 'react';
import { IconPhoneOff } from '../../components/icons.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useNow } from '../../data/now.ts';
import { minutesText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './in-call.module.css';
import type { PhoneState } from './phone-state.ts';
import { type Spoken, useConversation } from './use-conversation.ts';
import { usePhoneAction } from './use-phone-action.ts';

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const;

export function InCall({ phone }: { readonly phone: PhoneState }): ReactElement {
  const words = useWords().phones;
  const now = useNow();
  const { run, trouble } = usePhoneAction();
  const conversation = useConversation(phone);
  const press = (key: string): void => void run(() => conversation.press(key));
  const hangUp = (): void => void run(() => hangUpPhone(phone.userId));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (keys.some((key) => key === event.key)) press(event.key);
    else if (event.key === 'Escape') hangUp();
  };
  const sinceMs = phone.call === undefined ? 0 : now - Date.parse(phone.call.time);
  return (
    <div className={styles.call} role="group" aria-label={words.inTheCall} onKeyDown={onKeyDown}>
      <header className={styles.head}>
        <b>Tocsin</b>
        <span className="figures">
          {words.inTheCall} · {minutesText(sinceMs)}
        </span>
      </header>
      <Bubbles spoken={conversation.spoken} />
      <div className={styles.keys}>
        {keys.map((key) => (
          <button key={key} type="button" data-first={key === '1' ? '' : undefined} onClick={() => press(key)}>
            <b>{key}</b>
            <span>{words.keys[key] ?? ''}</span>
          </button>
        ))}
      </div>
      <button type="button" className={styles.hangUp} onClick={hangUp} aria-label={words.hangUp}>
        <IconPhoneOff size={22} stroke={1.6} />
      </button>
      <p className={styles.trouble} role="alert">
        {trouble}
      </p>
    </div>
  );
}

function Bubbles({ spoken }: { readonly spoken: readonly Spoken[] }): ReactElement {
  const end = useRef<HTMLLIElement>(null);
  const count = spoken.length;
  useEffect(() => {
    if (count > 0) end.current?.scrollIntoView({ block: 'end' });
  }, [count]);
  return (
    <ol className={styles.bubbles} aria-live="polite">
      {spoken.map(({ id, direction, text }) => (
        <li key={id} className={styles.bubble} data-direction={direction}>
          {plainText(text)}
        </li>
      ))}
      <li ref={end} className={styles.end} aria-hidden="true" />
    </ol>
  );
}
