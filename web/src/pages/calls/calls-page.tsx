// The calls: a card for each call under way, and what was tried, newest first.

import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { listCallHistories } from '@tocsin/client';
import { type ReactElement, useLayoutEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { DrillDialog } from '../../components/contact/drill-dialog.tsx';
import { IconPhoneOutgoing, IconSpeakerphone } from '../../components/icons.tsx';
import { isForScreen } from '../../components/keys.ts';
import { ListNote } from '../../components/list-note.tsx';
import { hasFigures, unknownFigure } from '../../data/lists/list-state.ts';
import type { Read } from '../../data/lists/read.ts';
import { useRead } from '../../data/lists/use-read.ts';
import { useRights } from '../../data/rights.ts';
import { useLive } from '../../data/use-live.ts';
import { useWords } from '../../words/use-words.ts';
import { CallCard } from './call-card.tsx';
import { CallSomebody } from './call-somebody.tsx';
import styles from './calls-page.module.css';
import { Tried } from './tried.tsx';

const route = getRouteApi('/calls');

export function CallsPage(): ReactElement {
  const words = useWords().calls;
  const { calls, callList } = useLive();
  const search = route.useSearch();
  const navigate = useNavigate();
  const open = [...calls.values()].toSorted((a, b) => urgencyOf(a) - urgencyOf(b) || a.id - b.id);
  return (
    <div className={styles.page}>
      <Head />
      {open.length === 0 && hasFigures(callList) ? <p className={styles.none}>{words.none}</p> : null}
      <ListNote state={callList} />
      <ul className={styles.cards}>
        {open.map((call) => (
          <li key={`${call.id}-${call.startTime}`}>
            <CallCard call={call} />
          </li>
        ))}
      </ul>
      <Tried search={search} change={(next) => void navigate({ to: '/calls', search: next, replace: true })} />
    </div>
  );
}

function urgencyOf({ causes }: { readonly causes: readonly { readonly priority: number }[] }): number {
  return Math.min(Number.MAX_SAFE_INTEGER, ...causes.map(({ priority }) => priority));
}

/** `n` calls somebody. */
function Head(): ReactElement {
  const words = useWords();
  const { calls, callList } = useLive();
  const recent = useRecentCount();
  const { blockedBy } = useRights();
  const { about, ...search } = route.useSearch();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'somebody' | 'drill'>();
  const closeSomebody = (): void => {
    setDialog(undefined);
    if (about !== undefined) void navigate({ to: '/calls', search, replace: true });
  };
  const blocked = blockedBy('calls:send');
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'n' || !isForScreen(event) || blocked !== undefined) return;
      event.preventDefault();
      setDialog('somebody');
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [blocked]);
  const waiting = [...calls.values()].filter(({ phase }) => phase !== 'calling').length;
  return (
    <header className={styles.head}>
      <h1>{words.calls.title}</h1>
      <p>
        {hasFigures(callList) ? words.calls.underWay(calls.size - waiting, waiting) : unknownFigure}
        {' · '}
        {recent.figure(words.calls.recent)}
      </p>
      <div className={styles.actions}>
        <Button icon={IconSpeakerphone} blocked={blocked} onClick={() => setDialog('drill')}>
          {words.calls.drill}
        </Button>
        <Button kind="ink" icon={IconPhoneOutgoing} keyCap="N" blocked={blocked} onClick={() => setDialog('somebody')}>
          {words.calls.somebody}
        </Button>
      </div>
      {dialog === 'somebody' || about !== undefined ? <CallSomebody about={about} onClose={closeSomebody} /> : null}
      {dialog === 'drill' ? <DrillDialog onClose={() => setDialog(undefined)} /> : null}
    </header>
  );
}

const threeHoursMs = 3 * 3_600_000;

/** How many attempts were made in the last three hours. */
function useRecentCount(): Read<number> {
  const { callsVersion } = useLive();
  const recent = useRead({
    queryKey: ['tried', 'recent', callsVersion],
    question: ['recent'],
    queryFn: () => listCallHistories({ $from: new Date(Date.now() - threeHoursMs).toISOString(), limit: 0 }),
  });
  return recent.map(({ paging }) => paging.total);
}
