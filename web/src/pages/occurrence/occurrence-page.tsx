// One occurrence of an alarm: what happened, who was called when, how and with what result, why not the others, and who took
// it. Its address can be sent, and it can be printed.

import { getRouteApi, Link } from '@tanstack/react-router';
import { type AlarmHistory, HttpError } from '@tocsin/client';
import type { ReactElement } from 'react';
import { ListNote } from '../../components/list-note.tsx';
import { useCallGroups } from '../../data/directory.ts';
import { mayPass } from '../../data/lists/query-failures.ts';
import { useNames } from '../../data/names.ts';
import { reasonOf } from '../../data/server.ts';
import { useWords } from '../../words/use-words.ts';
import { PanelFacts } from '../alarms/panel/panel-facts.tsx';
import { Called } from './called.tsx';
import { Happened } from './happened.tsx';
import { NotCalled } from './not-called.tsx';
import { OccurrenceFigures } from './occurrence-figures.tsx';
import { OccurrenceHead } from './occurrence-head.tsx';
import styles from './occurrence-page.module.css';
import { storyOf } from './story.ts';
import { useAlarmNow, useAttempts, useEntry, useEvents } from './use-occurrence.ts';

const route = getRouteApi('/occurrence');

export function OccurrencePage(): ReactElement {
  const { id } = route.useSearch();
  return <div className={styles.page}>{id === undefined ? <Absent /> : <Occurrence key={id} id={id} />}</div>;
}

function Absent(): ReactElement {
  const words = useWords().occurrence;
  return (
    <>
      <h1>{words.title}</h1>
      <p>{words.notFound}</p>
      <p>
        <Link to="/history">{words.toHistory}</Link>
      </p>
    </>
  );
}

function Occurrence({ id }: { readonly id: number }): ReactElement {
  const words = useWords().occurrence;
  const { data, error } = useEntry(id);
  if (error instanceof HttpError && error.status === 404) return <Absent />;
  if (data !== undefined) return <Loaded entry={data} />;
  return (
    <>
      <h1>{words.title}</h1>
      {error === null || mayPass(error) ? <ListNote isRead={false} error={error} /> : <p>{reasonOf(error)}</p>}
    </>
  );
}

function Loaded({ entry }: { readonly entry: AlarmHistory }): ReactElement {
  const words = useWords();
  const names = useNames({ saysYou: false });
  const groups = useCallGroups().data;
  const events = useEvents(entry.id);
  const attempts = useAttempts(entry.id);
  const alarm = useAlarmNow(entry).data;
  const groupName = (id: number | undefined): string => groups?.get(id ?? 0)?.name ?? words.calling.lastResort;
  const known = { attempts: attempts.data ?? [], events: events.data ?? [] };
  return (
    <>
      <OccurrenceHead entry={entry} />
      <OccurrenceFigures entry={entry} attempts={attempts.data} />
      {alarm ? <PanelFacts alarm={alarm} /> : null}
      <div className={styles.columns}>
        <section className={styles.card} aria-label={words.occurrence.whatHappened}>
          <h2>{words.occurrence.whatHappened}</h2>
          <Happened entry={entry} lines={storyOf(entry, known, { words, names, groupName })} events={events} />
        </section>
        <section className={styles.card} aria-label={words.occurrence.whoWasCalled}>
          <h2>{words.occurrence.whoWasCalled}</h2>
          <Called entry={entry} attempts={attempts} />
          <NotCalled entry={entry} attempts={attempts.data} />
        </section>
      </div>
    </>
  );
}
