// The system: whether it can call, what its channels and sources do, and what needs somebody.

import { getSystemReport, type SystemReport } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { IconCheck, IconCopy } from '../../components/icons.tsx';
import { ListNote } from '../../components/list-note.tsx';
import { SystemMark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import { refetchEvery } from '../../data/lists/query-failures.ts';
import { useRead } from '../../data/lists/use-read.ts';
import { useNow } from '../../data/time/now.ts';
import { ageText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { Channels } from './channels.tsx';
import { DemoStrip } from './demo-strip.tsx';
import { NeedsYou } from './needs-you.tsx';
import { Sources } from './sources.tsx';
import styles from './system-page.module.css';

const readEveryMs = 15_000;

export function SystemPage(): ReactElement {
  const words = useWords().system;
  const report = useRead({
    queryKey: ['system'],
    queryFn: () => getSystemReport(),
    refetchInterval: refetchEvery(readEveryMs),
  });
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{words.title}</h1>
        {report.when({
          unread: () => null,
          known: (known) => (
            <>
              <p>{summaryOf(known, words.nodes(known.nodes.length), words.up)}</p>
              <CopyReport report={known} />
            </>
          ),
        })}
      </header>
      <DemoStrip />
      {report.when({
        unread: (state) => <ListNote state={state} />,
        known: (known) => (
          <>
            <Figures report={known} />
            <Channels channels={known.channels} />
          </>
        ),
      })}
      <div className={styles.two}>
        <Sources />
        <NeedsYou />
      </div>
    </div>
  );
}

/** The report as text for a ticket; the server leaves secrets out. */
function CopyReport({ report }: { readonly report: SystemReport }): ReactElement {
  const words = useWords();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(JSON.stringify(report, undefined, 2));
    setCopied(true);
  };
  return (
    <Button icon={IconCopy} onClick={() => void copy()}>
      {isCopied ? words.panel.copied : words.system.copyReport}
    </Button>
  );
}

function summaryOf(
  { version, uptimeSeconds, database }: SystemReport,
  nodes: string,
  up: (age: string) => string,
): string {
  return [
    `Tocsin ${version}`,
    nodes,
    database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL',
    up(ageText(uptimeSeconds * 1000)),
  ].join(' · ');
}

function Figures({ report }: { readonly report: SystemReport }): ReactElement {
  const words = useWords().system;
  const now = useNow();
  const { calling, heartbeat, database, disk, certificate } = report;
  const free = disk === undefined ? '' : words.free(bytesText(disk.freeBytes));
  const beat = heartbeat.lastTime === undefined ? undefined : ageText(now - Date.parse(heartbeat.lastTime));
  const daysLeft = certificate === undefined ? undefined : (Date.parse(certificate.expiryTime) - now) / 86_400_000;
  return (
    <ul className={styles.figures}>
      <Figure name={words.calling} isWell={calling.ok} text={calling.ok ? words.ready : words.notReady}>
        {calling.reasons.length === 0 ? words.everyAlarm : calling.reasons.map(plainText).join(' · ')}
      </Figure>
      <Figure
        name={words.heartbeat}
        isWell={heartbeat.configured ? heartbeat.ok !== false : undefined}
        text={heartbeat.configured ? (beat === undefined ? words.notSent : words.sent(beat)) : words.none}
      >
        {heartbeat.configured ? words.outsideWatch : words.noWatch}
      </Figure>
      <Figure
        name={words.database}
        isWell={database.latencyMs !== undefined}
        text={database.latencyMs === undefined ? words.noAnswer : words.answersIn(Math.ceil(database.latencyMs))}
      >
        {[bytesText(database.bytes), free].filter((part) => part !== '').join(', ')}
      </Figure>
      <Figure
        name={words.certificate}
        isWell={daysLeft === undefined ? undefined : daysLeft > 14}
        text={daysLeft === undefined ? words.none : words.endsIn(Math.floor(daysLeft))}
      >
        {certificate === undefined ? words.noCertificate : ''}
      </Figure>
    </ul>
  );
}

type FigureProps = {
  readonly name: string;
  /** Undefined where there is nothing that could be well. */
  readonly isWell: boolean | undefined;
  readonly text: string;
  readonly children: string;
};

function Figure({ name, isWell, text, children }: FigureProps): ReactElement {
  return (
    <li className={styles.figure} data-bad={isWell === false ? '' : undefined}>
      <h2>{name}</h2>
      <p className={styles.value}>
        {isWell === true ? <IconCheck size={18} /> : isWell === false ? <SystemMark size={16} /> : null}
        {text}
      </p>
      <p className={styles.detail}>{children}</p>
    </li>
  );
}

function bytesText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${(bytes / 1000 ** power).toFixed(power > 2 ? 1 : 0)} ${units[power]}`;
}
