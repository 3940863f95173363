// A phone that rings: the alarm with its mark in three rings, and the two buttons.

import type { ReactElement } from 'react';
import { useAlarmViews } from '../../data/alarm-views.tsx';
import { useNow } from '../../data/time/now.ts';
import { useLive } from '../../data/use-live.ts';
import { ageText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { IconPhone, IconPhoneOff } from '../icons.tsx';
import { hueOf, Mark, type MarkState } from '../mark.tsx';
import { plainText } from '../plain-text.ts';
import styles from './ringing.module.css';
import type { PhoneControl } from './use-phone-control.ts';

export function Ringing({ control }: { readonly control: PhoneControl }): ReactElement {
  const words = useWords().phones;
  const now = useNow();
  const { phone, answer, hangUp, trouble, blocked } = control;
  const text = phone.call?.text ?? '';
  const alarm = useAlarmViews().find((one) => one.text !== '' && text.includes(one.text));
  const mark = alarm ?? { priority: 4, state: 3, masked: false, system: false };
  const seconds = phone.call === undefined ? 0 : now - Date.parse(phone.call.time);
  const facts = [alarm?.station, alarm?.value].filter((fact) => fact !== undefined && fact !== '');
  return (
    <div className={styles.ringing} data-hue={alarm === undefined ? undefined : hueOf(mark)}>
      <p className={styles.caller}>
        {words.calling} · {ageText(seconds)}
      </p>
      <div className={styles.rings}>
        <span />
        <span />
        <span />
        {alarm === undefined ? <IconPhone size={40} stroke={1.6} /> : <Mark {...mark} size={52} isFilled />}
      </div>
      <p className={`${styles.text} isolate`}>{plainText(alarm?.text ?? text)}</p>
      <p className={styles.facts}>{facts.join(' · ')}</p>
      <CallFacts userId={phone.userId} />
      <div className={styles.buttons}>
        <button
          type="button"
          className={styles.hangUp}
          onClick={hangUp}
          disabled={blocked !== undefined}
          title={blocked}
        >
          <span>
            <IconPhoneOff size={24} stroke={1.6} />
          </span>
          {words.letRing}
        </button>
        <button
          type="button"
          className={styles.answer}
          onClick={answer}
          disabled={blocked !== undefined}
          title={blocked}
        >
          <span>
            <IconPhone size={24} stroke={1.6} />
          </span>
          {words.answer}
        </button>
      </div>
      <p className={styles.trouble} role="alert">
        {trouble}
      </p>
    </div>
  );
}

/** `Pumps · try 2 of 3`. */
function CallFacts({ userId }: { readonly userId: number }): ReactElement {
  const words = useWords().calls;
  const { calls } = useLive();
  const call = [...calls.values()].find(({ people }) =>
    people.some((person) => person.userId === userId && person.step === 'calling'),
  );
  const person = call?.people.find((one) => one.userId === userId && one.step === 'calling');
  const facts = [
    call?.callGroupId === undefined ? '' : call.name,
    person?.attempt === undefined ? '' : words.tryOf(person.attempt),
  ];
  return <p className={styles.callFacts}>{facts.filter(Boolean).join(' · ')}</p>;
}

type RingPictureProps = {
  readonly caption: string;
  readonly mark: MarkState;
  readonly text: string;
  readonly facts: string;
};

/** A picture of a phone that will ring: its buttons do nothing. */
export function RingPicture({ caption, mark, text, facts }: RingPictureProps): ReactElement {
  return (
    <div className={styles.ringing} data-hue={hueOf(mark)}>
      <p className={styles.caller}>{caption}</p>
      <div className={styles.rings}>
        <span />
        <span />
        <span />
        <Mark {...mark} size={52} isFilled />
      </div>
      <p className={styles.text}>{text}</p>
      <p className={styles.facts}>{facts}</p>
      <div className={styles.buttons} aria-hidden="true">
        <span className={styles.hangUp}>
          <span>
            <IconPhoneOff size={24} stroke={1.6} />
          </span>
        </span>
        <span className={styles.answer}>
          <span>
            <IconPhone size={24} stroke={1.6} />
          </span>
        </span>
      </div>
    </div>
  );
}
