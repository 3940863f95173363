// The phone beside the first start: a picture before there is a plant, then the real simulated phone of Ana.

import { getPhone } from '@tocsin/client';
import { type ReactElement, useEffect } from 'react';
import { ListNote } from '../../components/list-note.tsx';
import { Handset, HandsetPicture } from '../../components/phone/handset.tsx';
import { phoneStateOf } from '../../components/phone/phone-state.ts';
import { RingPicture } from '../../components/phone/ringing.tsx';
import { useReadAgain } from '../../data/lists/use-read.ts';
import { useLiveAlarms } from '../../data/use-live.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './first-start-page.module.css';

/** Priority 2, active and not acknowledged, as the alarm that will ring. */
const mark = { priority: 2, state: 1, masked: false, system: false };

export function AnaPhone({ userId }: { readonly userId: number | undefined }): ReactElement {
  const words = useWords().firstStart;
  return (
    <aside className={styles.aside} aria-label={words.phoneName}>
      <div className={styles.handset}>
        {userId === undefined ? (
          <HandsetPicture>
            <RingPicture caption={words.phoneSoon} mark={mark} text={words.phoneText} facts={words.phoneFacts} />
          </HandsetPicture>
        ) : (
          <LivePhone userId={userId} />
        )}
      </div>
    </aside>
  );
}

/** Read again with every event of a phone. */
function LivePhone({ userId }: { readonly userId: number }): ReactElement {
  const live = useLiveAlarms();
  const { read, again } = useReadAgain({ queryKey: ['phones', userId], queryFn: () => getPhone(userId) });
  useEffect(() => live.onPhone(again), [live, again]);
  return read.when({
    known: (messages) => <Handset phone={phoneStateOf({ userId, user: '', messages })} />,
    unread: (state) => <ListNote state={state} />,
  });
}
