// One occurrence of an alarm: what happened, who was called when, how and with what result, why not the others, and who took
// it. Its address can be sent, and it can be printed.

import { getRouteApi, Link } from '@tanstack/react-router';
import { type AlarmHistory, HttpError } from '@tocsin/client';
import type { ReactElement } from 'react';
import { ListNote } from '../../components/list-note.tsx';
import { useCallGroups } from '../../data/directory.ts';
import { useNames } from '../../data/names.ts';
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
  const entry = useEntry(id);
  if (entry.error instanceof HttpError && entry.error.status === 404) return <Absent />;
  return entry.when({
    known: (known) => <Loaded entry={known} />,
    unread: (state) => (
      <>
        <h1>{words.title}</h1>
        <ListNote state={state} />
      </>
    ),
  });
}

function Loaded({ entry }: { readonly entry: AlarmHistory }): ReactElement {
  const words = useWords();
  const names = useNames({ saysYou: false });
  const groups = useCallGroups();
  const events = useEvents(entry.id);
  const attempts = useAttempts(entry.id);
  const alarm = useAlarmNow(entry).when({ known: (known) => known, unread: () => undefined });
  const groupName = (id: number | undefined): string =>
    !id ? words.calling.lastResort : groups.name((all) => all.get(id)?.name, `#${id}`);
  // What was not read has its own note beside the lines.
  const known = { attempts: attempts.choices((all) => all), events: events.choices((all) => all) };
  return (
    <>
      <OccurrenceHead entry={entry} />
      <OccurrenceFigures entry={entry} attempts={attempts} />
      {alarm ? <PanelFacts alarm={alarm} /> : null}
      <div className={styles.columns}>
        <section className={styles.card} aria-label={words.occurrence.whatHappened}>
          <h2>{words.occurrence.whatHappened}</h2>
          <Happened entry={entry} lines={storyOf(entry, known, { words, names, groupName })} events={events} />
        </section>
        <section className={styles.card} aria-label={words.occurrence.whoWasCalled}>
          <h2>{words.occurrence.whoWasCalled}</h2>
          <Called entry={entry} attempts={attempts} />
          <NotCalled entry={entry} attempts={attempts} />
        </section>
      </div>
    </>
  );
}
