// The calls: a card for each call under way, and what was tried, newest first.

import { type ReactElement, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { IconPhoneOutgoing } from '../../components/icons.tsx';
import { useRights } from '../../data/rights.ts';
import { useLive } from '../../data/use-live.ts';
import { useWords } from '../../words/use-words.ts';
import { CallCard } from './call-card.tsx';
import { CallSomebody } from './call-somebody.tsx';
import styles from './calls-page.module.css';
import { Tried } from './tried.tsx';

export function CallsPage(): ReactElement {
  const words = useWords().calls;
  const { calls } = useLive();
  const { blockedBy } = useRights();
  const [isCalling, setCalling] = useState(false);
  const open = [...calls.values()].toSorted((a, b) => urgencyOf(a) - urgencyOf(b) || a.id - b.id);
  const waiting = open.filter(({ phase }) => phase !== 'calling').length;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{words.title}</h1>
        <p>{words.underWay(open.length - waiting, waiting)}</p>
        <Button kind="ink" icon={IconPhoneOutgoing} blocked={blockedBy('calls:send')} onClick={() => setCalling(true)}>
          {words.somebody}
        </Button>
      </header>
      {open.length === 0 ? <p className={styles.none}>{words.none}</p> : null}
      <ul className={styles.cards}>
        {open.map((call) => (
          <li key={call.id}>
            <CallCard call={call} />
          </li>
        ))}
      </ul>
      <Tried />
      {isCalling ? <CallSomebody onClose={() => setCalling(false)} /> : null}
    </div>
  );
}

function urgencyOf({ causes }: { readonly causes: readonly { readonly priority: number }[] }): number {
  return Math.min(Number.MAX_SAFE_INTEGER, ...causes.map(({ priority }) => priority));
}
