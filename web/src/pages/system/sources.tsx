// The sources: who sends alarms, when something came last, and how often it usually does.

import { listSources, type Source } from '@tocsin/client';
import type { ReactElement } from 'react';
import { ListNote } from '../../components/list-note.tsx';
import { SystemMark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useAlarmViews } from '../../data/alarm-views.tsx';
import { useStations } from '../../data/directory.ts';
import { refetchEvery } from '../../data/lists/query-failures.ts';
import { useRead } from '../../data/lists/use-read.ts';
import { useNow } from '../../data/time/now.ts';
import { ageText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './system-page.module.css';

export function Sources(): ReactElement {
  const words = useWords().system;
  const sources = useRead({
    queryKey: ['sources'],
    queryFn: () => listSources({ limit: 200 }),
    refetchInterval: refetchEvery(15_000),
  });
  const hasAlarms = useAlarmViews().some(({ system }) => !system);
  const heard = sources.map(({ items }) => items.filter(({ lastTime }) => lastTime !== undefined));
  return (
    <section className={styles.card} aria-label={words.sources}>
      <header className={styles.cardHead}>
        <h2>{words.sources}</h2>
        <span>{words.sourcesMeans}</span>
      </header>
      <ListNote state={heard.state} />
      {heard.isKnown(({ length }) => length === 0) ? (
        <p className={styles.empty}>{hasAlarms ? words.noSourcesOfAlarms : words.noSources}</p>
      ) : null}
      <ul>
        {heard
          .choices((known) => known)
          .map((source) => (
            <Heard key={`${source.kind}-${source.id}`} source={source} />
          ))}
      </ul>
    </section>
  );
}

function Heard({ source }: { readonly source: Source }): ReactElement {
  const words = useWords().system;
  const stations = useStations();
  const now = useNow();
  const { name, stationIds, lastTime, usualSeconds, silent } = source;
  const places = stationIds.map((id) => stations.name((all) => all.get(id)?.name, `#${id}`)).join(', ');
  const usual = usualSeconds === undefined ? '' : words.usually(ageText(usualSeconds * 1000));
  return (
    <li className={styles.source} data-bad={silent ? '' : undefined}>
      {silent ? <SystemMark size={13} /> : <span />}
      <span className="mono">{plainText(name)}</span>
      <span className={styles.quiet}>{places}</span>
      <span className="figures">{lastTime === undefined ? '' : words.ago(ageText(now - Date.parse(lastTime)))}</span>
      <span className={styles.quiet}>{silent ? `${words.silent}, ${usual}` : usual}</span>
    </li>
  );
}
