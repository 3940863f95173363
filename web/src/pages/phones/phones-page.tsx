// The simulated phones: each user's phone rings, is answered and takes keys and texts, as a telephone would.

import { useQuery } from '@tanstack/react-query';
import { listPhones } from '@tocsin/client';
import { type ReactElement, useEffect } from 'react';
import { useLiveAlarms } from '../../data/use-live.ts';
import { useWords } from '../../words/use-words.ts';
import { type PhoneState, phoneStateOf } from './phone-state.ts';
import { PhoneView } from './phone-view.tsx';
import styles from './phones-page.module.css';

export function PhonesPage(): ReactElement {
  const words = useWords().phones;
  const phones = usePhones();
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{words.title}</h1>
        <span className={styles.badge}>{words.simulatorOn}</span>
        <p>{words.means}</p>
      </header>
      {phones.length === 0 ? <p className={styles.empty}>{words.none}</p> : null}
      <ul className={styles.phones}>
        {phones.map((phone) => (
          <li key={phone.userId}>
            <PhoneView phone={phone} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const order = { ringing: 0, inCall: 1, text: 2, rest: 3 } as const;

/** The phones, those that ring first; read again with every event of a phone. */
function usePhones(): readonly PhoneState[] {
  const live = useLiveAlarms();
  const { data, refetch } = useQuery({ queryKey: ['phones'], queryFn: () => listPhones(), refetchInterval: 10_000 });
  useEffect(() => live.onPhone(() => void refetch()), [live, refetch]);
  const states = (data ?? []).map(phoneStateOf);
  return states.toSorted((a, b) => order[a.kind] - order[b.kind] || a.userId - b.userId);
}
