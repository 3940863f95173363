// A phone that rings: the alarm with its mark in three rings, and the two buttons.

import { hangUpPhone } from '@tocsin/client';
import type { ReactElement } from 'react';
import { IconPhone, IconPhoneOff } from '../../components/icons.tsx';
import { hueOf, Mark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useAlarmViews } from '../../data/alarm-views.tsx';
import { useNow } from '../../data/now.ts';
import { ageText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import type { PhoneState } from './phone-state.ts';
import styles from './ringing.module.css';
import { useConversation } from './use-conversation.ts';
import { usePhoneAction } from './use-phone-action.ts';

export function Ringing({ phone }: { readonly phone: PhoneState }): ReactElement {
  const words = useWords().phones;
  const now = useNow();
  const { run, trouble } = usePhoneAction();
  const conversation = useConversation(phone);
  const text = phone.call?.text ?? '';
  const alarm = useAlarmViews().find((one) => text.includes(one.text));
  const mark = alarm ?? { priority: 1, state: 3, masked: false, system: false };
  const seconds = phone.call === undefined ? 0 : now - Date.parse(phone.call.time);
  const facts = [alarm?.station, alarm?.value].filter((fact) => fact !== undefined && fact !== '');
  return (
    <div className={styles.ringing} data-hue={hueOf(mark)}>
      <p className={styles.caller}>
        {words.calling} · {ageText(seconds)}
      </p>
      <div className={styles.rings}>
        <span />
        <span />
        <span />
        <Mark {...mark} size={52} />
      </div>
      <p className={`${styles.text} isolate`}>{plainText(alarm?.text ?? text)}</p>
      <p className={styles.facts}>{facts.join(' · ')}</p>
      <div className={styles.buttons}>
        <button type="button" className={styles.hangUp} onClick={() => void run(() => hangUpPhone(phone.userId))}>
          <span>
            <IconPhoneOff size={24} stroke={1.6} />
          </span>
          {words.letRing}
        </button>
        <button type="button" className={styles.answer} onClick={() => void run(conversation.answer)}>
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
