// One simulated phone with its owner: the screen that fits its state.

import type { ReactElement } from 'react';
import { useNames } from '../../data/names.ts';
import { useNow } from '../../data/now.ts';
import { useOnCallNow } from '../../data/on-call.ts';
import { usePlantClock } from '../../data/plant-clock.ts';
import { dateText, shortTimeText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { InCall } from './in-call.tsx';
import type { PhoneState } from './phone-state.ts';
import styles from './phone-view.module.css';
import { Ringing } from './ringing.tsx';
import { Texts } from './texts.tsx';

export function PhoneView({ phone }: { readonly phone: PhoneState }): ReactElement {
  const { byId } = useNames();
  const words = useWords().phones;
  const name = byId(phone.userId);
  const badge = phone.kind === 'ringing' ? words.ringing : phone.kind === 'inCall' ? words.inCall : undefined;
  return (
    <section className={styles.owner} aria-label={name}>
      <header className={styles.head}>
        <span className={styles.avatar}>{name.slice(0, 1).toUpperCase()}</span>
        <span className={styles.who}>
          <b>{name}</b>
          <Duty userId={phone.userId} />
        </span>
        {badge === undefined ? null : (
          <span className={styles.badge} data-kind={phone.kind}>
            {badge}
          </span>
        )}
      </header>
      <div className={styles.phone} data-kind={phone.kind}>
        <StatusBar />
        <Screen phone={phone} />
      </div>
    </section>
  );
}

function Screen({ phone }: { readonly phone: PhoneState }): ReactElement {
  switch (phone.kind) {
    case 'ringing':
      return <Ringing phone={phone} />;
    case 'inCall':
      return <InCall phone={phone} />;
    case 'text':
      return <Texts phone={phone} />;
    case 'rest':
      return <AtRest />;
  }
}

function Duty({ userId }: { readonly userId: number }): ReactElement {
  const words = useWords().phones;
  const { data } = useOnCallNow();
  const groups = (data?.items ?? []).filter(({ members }) => members.some((member) => member.userId === userId));
  const text = groups.length === 0 ? words.offDuty : words.onDuty(groups.map(({ name }) => name).join(', '));
  return <span className={styles.duty}>{text}</span>;
}

function StatusBar(): ReactElement {
  const clock = usePlantClock();
  const now = useNow();
  return (
    <div className={styles.status} aria-hidden="true">
      <span className="figures">{shortTimeText(clock, now)}</span>
      <svg width="34" height="12" viewBox="0 0 34 12" aria-hidden="true">
        <path d="M1 11V8M4.5 11V6M8 11V4M11.5 11V2" stroke="currentColor" strokeWidth="1.6" />
        <rect x="19" y="3" width="12" height="7" rx="2" fill="none" stroke="currentColor" />
        <rect x="20.6" y="4.6" width="7" height="3.8" fill="currentColor" />
        <path d="M32.5 5v3" stroke="currentColor" />
      </svg>
    </div>
  );
}

function AtRest(): ReactElement {
  const clock = usePlantClock();
  const now = useNow();
  return (
    <div className={styles.rest}>
      <p className={`${styles.bigTime} figures`}>{shortTimeText(clock, now)}</p>
      <p>{dateText(clock, now)}</p>
    </div>
  );
}
