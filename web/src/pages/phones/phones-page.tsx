// The simulated phones: each user's phone rings, is answered and takes keys and texts, as a telephone would.

import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { DrillDialog } from '../../components/contact/drill-dialog.tsx';
import { IconSpeakerphone, IconVolume, IconVolumeOff } from '../../components/icons.tsx';
import { ListNote } from '../../components/list-note.tsx';
import { useRights } from '../../data/rights.ts';
import { useWords } from '../../words/use-words.ts';
import { PhoneView } from './phone-view.tsx';
import styles from './phones-page.module.css';
import { TestAlarmDialog } from './test-alarm-dialog.tsx';
import { usePhones } from './use-phones.ts';
import { useRingTone } from './use-ring-tone.ts';

const route = getRouteApi('/phones');

export function PhonesPage(): ReactElement {
  const words = useWords().phones;
  const search = route.useSearch();
  const navigate = useNavigate();
  const read = usePhones(search);
  const phones = read.choices((all) => all);
  const { isAloud, toggle } = useRingTone(phones.some(({ kind }) => kind === 'ringing'));
  const { blockedBy } = useRights();
  const [dialog, setDialog] = useState<'drill' | 'alarm'>();
  const isEverybody = search.show === 'everybody';
  const show = (): void => void navigate({ to: '/phones', search: isEverybody ? {} : { show: 'everybody' } });
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{words.title}</h1>
        <span className={styles.badge}>{words.simulatorOn}</span>
        <p>{words.means}</p>
        <div className={styles.actions}>
          <button type="button" className={styles.chip} aria-pressed={isEverybody} onClick={show}>
            {words.show} <b>{isEverybody ? words.everybody : words.active}</b>
          </button>
          <Button icon={isAloud ? IconVolume : IconVolumeOff} isPressed={isAloud} onClick={toggle}>
            {words.ringAloud}
          </Button>
          <Button icon={IconSpeakerphone} blocked={blockedBy('calls:send')} onClick={() => setDialog('drill')}>
            {words.drill}
          </Button>
          <Button kind="ink" blocked={blockedBy('alarms:write')} onClick={() => setDialog('alarm')}>
            {words.testAlarm.title}
          </Button>
        </div>
      </header>
      <ListNote state={read.state} />
      {read.isKnown(({ length }) => length === 0) ? <p className={styles.empty}>{words.none}</p> : null}
      <ul className={styles.phones}>
        {phones.map((phone) => (
          <li key={phone.userId}>
            <PhoneView phone={phone} />
          </li>
        ))}
      </ul>
      {dialog === 'drill' ? <DrillDialog onClose={() => setDialog(undefined)} /> : null}
      {dialog === 'alarm' ? <TestAlarmDialog onClose={() => setDialog(undefined)} /> : null}
    </div>
  );
}
