// The texts of a phone, with their codes set off, and a field to reply.

import { sendPhoneText } from '@tocsin/client';
import { type FormEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { IconArrowUp } from '../../components/icons.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useNames } from '../../data/names.ts';
import { useNow } from '../../data/now.ts';
import { usePlantClock } from '../../data/plant-clock.ts';
import { momentText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import type { PhoneState } from './phone-state.ts';
import styles from './texts.module.css';
import { usePhoneAction } from './use-phone-action.ts';

export function Texts({ phone }: { readonly phone: PhoneState }): ReactElement {
  const words = useWords().phones;
  const { byId } = useNames();
  const { run, trouble } = usePhoneAction();
  const [text, setText] = useState('');
  const send = (event: FormEvent): void => {
    event.preventDefault();
    void run(() => sendPhoneText(phone.userId, { text }));
    setText('');
  };
  return (
    <div className={styles.texts}>
      <header className={styles.head}>
        <b>Tocsin</b>
        <span>{phone.texts.at(-1)?.address}</span>
      </header>
      <Messages phone={phone} />
      <form className={styles.reply} onSubmit={send}>
        <input
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={words.replyAs(byId(phone.userId))}
          aria-label={words.replyAs(byId(phone.userId))}
          required
        />
        <button type="submit" aria-label={words.send}>
          <IconArrowUp size={20} stroke={2} />
        </button>
      </form>
      <p className={styles.trouble} role="alert">
        {trouble}
      </p>
    </div>
  );
}

function Messages({ phone }: { readonly phone: PhoneState }): ReactElement {
  const clock = usePlantClock();
  const now = useNow();
  const end = useRef<HTMLLIElement>(null);
  const newest = phone.texts.at(-1)?.id;
  useEffect(() => {
    if (newest !== undefined) end.current?.scrollIntoView({ block: 'end' });
  }, [newest]);
  return (
    <ol className={styles.messages} aria-live="polite">
      {phone.texts.map(({ id, direction, text, time }) => (
        <li key={id} data-direction={direction}>
          <span className={styles.time}>{momentText(clock, Date.parse(time), now)}</span>
          <span className={styles.bubble}>{withCodes(text)}</span>
        </li>
      ))}
      <li ref={end} className={styles.end} aria-hidden="true" />
    </ol>
  );
}

/** A code to reply is four digits that stand alone. */
function withCodes(text: string): readonly (string | ReactElement)[] {
  return plainText(text)
    .split(/\b(\d{4})\b/)
    .map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}
