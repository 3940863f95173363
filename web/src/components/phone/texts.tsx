// The texts of a phone, with their codes set off, and a field to reply.

import { sendPhoneText } from '@tocsin/client';
import { type FormEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { useNames } from '../../data/names.ts';
import { useRights } from '../../data/rights.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { momentText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { IconArrowUp } from '../icons.tsx';
import { plainText } from '../plain-text.ts';
import { MarkedText } from './marked-text.tsx';
import type { PhoneState } from './phone-state.ts';
import styles from './texts.module.css';
import { usePhoneAction } from './use-phone-action.ts';

export function Texts({ phone }: { readonly phone: PhoneState }): ReactElement {
  const words = useWords();
  const { byId } = useNames();
  const { blockedBy } = useRights();
  const { run, trouble } = usePhoneAction();
  const [text, setText] = useState('');
  const newest = phone.texts.at(-1);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    void run(() => sendPhoneText(phone.userId, { text }));
    setText('');
  };
  const label = words.phones.replyAs(byId(phone.userId));
  const blocked = blockedBy('calls:send');
  return (
    <div className={styles.texts}>
      <header className={styles.head}>
        <b>Tocsin</b>
        <span>
          {newest === undefined ? '' : `${words.timeline.channel(newest.channel)} · ${plainText(newest.address)}`}
        </span>
      </header>
      <Messages phone={phone} />
      <form className={styles.reply} onSubmit={send}>
        <input
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={label}
          aria-label={label}
          required
        />
        <button type="submit" aria-label={words.phones.send} disabled={blocked !== undefined} title={blocked}>
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
  const list = useRef<HTMLOListElement>(null);
  const newest = phone.texts.at(-1)?.id;
  useEffect(() => {
    if (newest !== undefined) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [newest]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
    <ol ref={list} className={styles.messages} aria-live="polite" tabIndex={0}>
      {phone.texts.map(({ id, direction, text, time }) => (
        <li key={id} data-direction={direction}>
          <span className={styles.time}>{momentText(clock, Date.parse(time), now)}</span>
          <span className={styles.bubble}>{direction === 'to' ? <MarkedText text={text} /> : plainText(text)}</span>
        </li>
      ))}
    </ol>
  );
}
