// One simulated phone with its owner.

import type { ReactElement } from 'react';
import { Mark } from '../../components/mark.tsx';
import { Handset } from '../../components/phone/handset.tsx';
import type { PhoneState } from '../../components/phone/phone-state.ts';
import { useIsVerified } from '../../components/phone/use-is-verified.ts';
import { useUsers } from '../../data/directory.ts';
import { unknownFigure } from '../../data/lists/list-state.ts';
import { useNames } from '../../data/names.ts';
import { useOnCallNow } from '../../data/on-call.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './phone-view.module.css';

export function PhoneView({ phone }: { readonly phone: PhoneState }): ReactElement {
  const { byId } = useNames();
  const name = byId(phone.userId);
  return (
    <section className={styles.owner} aria-label={name}>
      <header className={styles.head}>
        <span className={styles.avatar}>{name.slice(0, 1).toUpperCase()}</span>
        <span className={styles.who}>
          <b>{name}</b>
          <Duty userId={phone.userId} />
        </span>
        <Badge phone={phone} />
      </header>
      <Handset phone={phone} />
    </section>
  );
}

function Badge({ phone: { kind, newTexts, userId } }: { readonly phone: PhoneState }): ReactElement | null {
  const words = useWords().phones;
  const isVerified = useIsVerified(userId);
  const text =
    kind === 'ringing'
      ? words.ringing
      : kind === 'inCall'
        ? words.inCall
        : newTexts > 0
          ? words.newTexts(newTexts)
          : undefined;
  if (text !== undefined)
    return (
      <span className={styles.badge} data-kind={kind}>
        {text}
      </span>
    );
  return isVerified ? null : (
    <span className={styles.notVerified}>
      <Mark priority={1} system state={3} masked={false} size={12} isPlain isDecorative /> {words.notVerified}
    </span>
  );
}

/** `on duty for Pumps · voice, text`. */
function Duty({ userId }: { readonly userId: number }): ReactElement {
  const words = useWords();
  const duty = useOnCallNow().name(({ items }) => {
    const groups = items.filter(({ members }) => members.some((member) => member.userId === userId));
    return groups.length === 0 ? words.phones.offDuty : words.phones.onDuty(groups.map(({ name }) => name).join(', '));
  }, `${words.banner.onCall} ${unknownFigure}`);
  const numbers = useUsers().choices((all) => all.get(userId)?.numbers ?? []);
  const ways = [...new Set(numbers.map(({ channel }) => words.timeline.channel(channel)))].join(', ');
  return <span className={styles.duty}>{[duty, ways].filter(Boolean).join(' · ')}</span>;
}
