// A simulated phone: its frame, its status bar, and the screen that fits its state.

import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import { useUsers } from '../../data/directory.ts';
import { useNames } from '../../data/names.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { longDateText, shortTimeText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { useVerifyBlocked, VerifyDialog } from '../contact/verify-dialog.tsx';
import { Mark } from '../mark.tsx';
import styles from './handset.module.css';
import { InCall } from './in-call.tsx';
import type { PhoneState } from './phone-state.ts';
import { Ringing } from './ringing.tsx';
import { Texts } from './texts.tsx';
import { useIsVerified } from './use-is-verified.ts';
import { type PhoneControl, usePhoneControl } from './use-phone-control.ts';

export function Handset({ phone }: { readonly phone: PhoneState }): ReactElement {
  const words = useWords().phones;
  const name = useNames().byId(phone.userId);
  const element = useRef<HTMLDivElement>(null);
  const control = usePhoneControl(phone, element);
  return (
    <div
      ref={element}
      className={styles.phone}
      data-kind={phone.kind}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the phone takes the keys of its keypad
      tabIndex={0}
      aria-label={words.phoneOf(name)}
      onKeyDown={control.onKeyDown}
    >
      <StatusBar />
      <Screen control={control} />
    </div>
  );
}

/** A picture of a phone, which takes no keys. */
export function HandsetPicture({ children }: { readonly children: ReactNode }): ReactElement {
  return (
    <div className={styles.phone}>
      <StatusBar />
      {children}
    </div>
  );
}

function Screen({ control }: { readonly control: PhoneControl }): ReactElement {
  switch (control.phone.kind) {
    case 'ringing':
      return <Ringing control={control} />;
    case 'inCall':
      return <InCall control={control} />;
    case 'text':
      return <Texts phone={control.phone} />;
    case 'rest':
      return <AtRest userId={control.phone.userId} />;
  }
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

function AtRest({ userId }: { readonly userId: number }): ReactElement {
  const clock = usePlantClock();
  const now = useNow();
  const isVerified = useIsVerified(userId);
  return (
    <div className={styles.rest}>
      <p className={`${styles.bigTime} figures`}>{shortTimeText(clock, now)}</p>
      <p>{longDateText(clock, now)}</p>
      {isVerified ? null : <Silent userId={userId} />}
    </div>
  );
}

/** Why nothing rings here, and what mends it. */
function Silent({ userId }: { readonly userId: number }): ReactElement {
  const words = useWords();
  const blocked = useVerifyBlocked(userId);
  const hasNumber = useUsers().isKnown((all) => all.get(userId)?.numbers.length !== 0);
  const [isVerifying, setVerifying] = useState(false);
  return (
    <div className={styles.silent}>
      <Mark priority={1} system state={3} masked={false} size={20} isPlain isDecorative />
      <p>{hasNumber ? words.phones.silent : words.phones.noNumber}</p>
      {hasNumber ? (
        <button type="button" disabled={blocked !== undefined} title={blocked} onClick={() => setVerifying(true)}>
          {words.onCall.verify}
        </button>
      ) : null}
      {isVerifying ? <VerifyDialog userId={userId} onClose={() => setVerifying(false)} /> : null}
    </div>
  );
}
