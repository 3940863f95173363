// The head of the page: which alarm, where, and what can be done with the page; on paper also where it came from.

import { Link } from '@tanstack/react-router';
import type { AlarmHistory } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { IconLink, IconPrinter } from '../../components/icons.tsx';
import { Mark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useSite, useStations } from '../../data/directory.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { dateTimeText, zoneText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './occurrence-page.module.css';

const copiedMs = 2_000;

export function OccurrenceHead({ entry }: { readonly entry: AlarmHistory }): ReactElement {
  const words = useWords();
  const { tagId, tagName, message, priority, system = false, stationId, ackTime, resetTime } = entry;
  const station = useStations().name((all) => all.get(stationId ?? 0)?.name, '');
  const clock = usePlantClock();
  const zone = zoneText(clock, Date.parse(entry.alarmTime));
  // An occurrence that is over keeps its colour.
  const state = resetTime === undefined && ackTime === undefined ? 3 : ackTime === undefined ? 2 : 1;
  const going = resetTime === undefined ? words.mark.state(state, false) : undefined;
  const facts = [words.mark.priority(priority), going, station, plainText(tagName), zone];
  return (
    <>
      <PrintHead />
      <header className={styles.head}>
        <Mark priority={priority} system={system} state={state} masked={false} size={32} isDecorative />
        <div className={styles.title}>
          <h1 className="isolate">{plainText(message === '' ? tagName : message)}</h1>
          <p>{facts.filter((one) => one !== undefined && one !== '').join(' · ')}</p>
        </div>
        <div className={styles.actions}>
          <Link to="/alarms" search={{ id: tagId }} className={styles.now ?? ''}>
            {words.occurrence.alarmNow}
          </Link>
          <CopyLink />
          <Button icon={IconPrinter} onClick={() => print()}>
            {words.occurrence.print}
          </Button>
        </div>
      </header>
    </>
  );
}

function CopyLink(): ReactElement {
  const words = useWords().panel;
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(location.href);
    setCopied(true);
    setTimeout(() => setCopied(false), copiedMs);
  };
  return (
    <Button icon={IconLink} onClick={() => void copy()}>
      {isCopied ? words.copied : words.copyLink}
    </Button>
  );
}

/** A sheet of paper says itself of which plant it is, and when it was printed. */
function PrintHead(): ReactElement {
  const words = useWords().occurrence;
  const clock = usePlantClock();
  const name = useSite().name((site) => site.name, '');
  return (
    <div className={styles.printHead}>
      <b>{name === '' ? 'Tocsin' : name}</b>
      <span>{words.printed(dateTimeText(clock, useNow()))}</span>
    </div>
  );
}
