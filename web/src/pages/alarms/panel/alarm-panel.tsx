// The panel of one alarm: its figures, what can be done, what to do, and what happens.

import { type FullAlarm, getAlarm, HttpError } from '@tocsin/client';
import { type ReactElement, type ReactNode, useState } from 'react';
import { IconButton } from '../../../components/button.tsx';
import { IconChevronDown, IconChevronUp, IconLink, IconX } from '../../../components/icons.tsx';
import { Mark } from '../../../components/mark.tsx';
import { plainText } from '../../../components/plain-text.ts';
import type { AlarmView } from '../../../data/alarm-views.tsx';
import type { Read } from '../../../data/lists/read.ts';
import { useRead } from '../../../data/lists/use-read.ts';
import { reasonOf } from '../../../data/server.ts';
import { useNow } from '../../../data/time/now.ts';
import { usePlantClock } from '../../../data/time/plant-clock.ts';
import { useLinkHealth } from '../../../data/use-live.ts';
import { ageText, momentText } from '../../../words/times.ts';
import { useWords } from '../../../words/use-words.ts';
import type { AlarmsSearch } from '../alarms-search.ts';
import { StaleBar } from '../stale-bar.tsx';
import styles from './alarm-panel.module.css';
import { PanelActions } from './panel-actions.tsx';
import { PanelDetails } from './panel-details.tsx';
import { PanelFacts } from './panel-facts.tsx';
import { PanelHistory } from './panel-history.tsx';
import { PanelMonth } from './panel-month.tsx';
import { PanelTimeline } from './panel-timeline.tsx';

type PanelProps = {
  readonly id: number;
  readonly search: AlarmsSearch;
  readonly change: (search: AlarmsSearch) => void;
  /** The alarm as the list has it; undefined if it is not in the list. */
  readonly live: AlarmView | undefined;
  /** The keys are about the selected alarms, and not about this one. */
  readonly isSelecting: boolean;
  readonly onMask: () => void;
  readonly onStep: (rows: number) => void;
};

export function AlarmPanel(props: PanelProps): ReactElement {
  const { id, live } = props;
  const words = useWords();
  const { isStale } = useLinkHealth();
  // Where the panel covers the list, it also covers the list's bar.
  const staleBar = isStale ? (
    <div className={styles.stale}>
      <StaleBar />
    </div>
  ) : null;
  const read = useAlarm(id, live?.lastChange);
  // What the list has is shown at once; the rest follows, or says why it does not.
  const alarm = read.when({ known: (known) => known, unread: () => fullOf(live) });
  const { error } = read;
  const isAbsent = error instanceof HttpError && error.status === 404;
  if (alarm === undefined) {
    const reason = error === undefined ? words.lists.reading : isAbsent ? words.panel.notFound : reasonOf(error);
    return (
      <aside className={styles.panel} aria-busy={error === undefined}>
        <PanelHead {...props} alarm={undefined} />
        {staleBar}
        {live === undefined ? null : <Brief alarm={live} />}
        <p className={styles.message}>{reason}</p>
      </aside>
    );
  }
  return (
    <Loaded {...props} alarm={alarm} isRemoved={isAbsent}>
      {staleBar}
    </Loaded>
  );
}

/** The alarm of the list, if it was read there whole; one that only the hub told of has fewer fields. */
function fullOf(live: AlarmView | undefined): FullAlarm | undefined {
  return live !== undefined && 'occurrences' in live ? (live as AlarmView & FullAlarm) : undefined;
}

/** What the list shows of an alarm that could not be read. */
function Brief({ alarm }: { readonly alarm: AlarmView }): ReactElement {
  const words = useWords();
  const clock = usePlantClock();
  const now = useNow();
  return (
    <header className={styles.title}>
      <Mark {...alarm} size={32} />
      <div className={styles.titleText}>
        <h2 className="isolate">{plainText(alarm.text)}</h2>
        <p className="mono">{plainText(alarm.fullPath)}</p>
        <p>
          {words.mark.state(alarm.state, alarm.masked)} · {momentText(clock, alarm.raisedAt, now)}
        </p>
      </div>
    </header>
  );
}

/** Reads the alarm again with every change of it; what was read last stays when it can no longer be read. */
function useAlarm(id: number, lastChange: string | undefined): Read<FullAlarm> {
  return useRead({
    queryKey: ['alarm', id, lastChange],
    question: [id],
    queryFn: async () => (await getAlarm(id)) as FullAlarm,
  });
}

type LoadedProps = PanelProps & {
  readonly alarm: FullAlarm;
  readonly isRemoved: boolean;
  readonly children: ReactNode;
};

function Loaded(props: LoadedProps): ReactElement {
  const { alarm, search, live, isSelecting, onMask, isRemoved, children } = props;
  const words = useWords();
  const text = alarm.message === '' ? alarm.localizedName : alarm.message;
  return (
    <aside className={styles.panel} aria-label={text}>
      <PanelHead {...props} alarm={alarm} />
      {children}
      {isRemoved ? <p className={styles.message}>{words.panel.removed}</p> : null}
      <header className={styles.title}>
        <Mark {...alarm} size={32} />
        <div className={styles.titleText}>
          <h2 className="isolate">{plainText(text)}</h2>
          <p className="mono">{plainText(alarm.fullPath)}</p>
        </div>
      </header>
      <Figures alarm={alarm} />
      {isRemoved ? null : <PanelActions {...{ alarm, live, isSelecting, onMask }} />}
      <PanelFacts alarm={alarm} />
      <PanelTabs {...props} />
      <div className={styles.body}>
        {search.tab === 'history' ? <PanelHistory alarm={alarm} /> : null}
        {search.tab === 'details' ? <PanelDetails alarm={alarm} /> : null}
        {search.tab === undefined ? <PanelTimeline alarm={alarm} /> : null}
      </div>
      <PanelMonth alarm={alarm} />
    </aside>
  );
}

function PanelHead({
  alarm,
  search,
  change,
  onStep,
}: PanelProps & { readonly alarm: FullAlarm | undefined }): ReactElement {
  const words = useWords();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(location.href);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <div className={styles.head}>
      <p className={styles.state}>
        <b>{alarm === undefined ? '' : words.mark.priority(alarm.priority)}</b>
        {alarm === undefined ? '' : ` · ${words.mark.state(alarm.state, alarm.masked)}`}
      </p>
      <span className={`${styles.id} mono`}>#{search.id}</span>
      <IconButton icon={IconChevronUp} label={words.panel.previous} onClick={() => onStep(-1)} />
      <IconButton icon={IconChevronDown} label={words.panel.next} onClick={() => onStep(1)} />
      <IconButton
        icon={IconLink}
        label={isCopied ? words.panel.copied : words.panel.copyLink}
        onClick={() => void copy()}
      />
      <IconButton
        icon={IconX}
        label={words.actions.close}
        onClick={() => change({ ...search, id: undefined, tab: undefined })}
      />
    </div>
  );
}

function Figures({ alarm }: { readonly alarm: FullAlarm }): ReactElement {
  const words = useWords().panel;
  const clock = usePlantClock();
  const { isStale, lastNews } = useLinkHealth();
  const tick = useNow();
  const now = isStale ? lastNews : tick;
  const raised = Date.parse(alarm.alarmTime);
  const end = alarm.resetTime === undefined ? now : Date.parse(alarm.resetTime);
  const figures = [
    [words.value, plainText(alarm.value) || '—'],
    [words.raised, momentText(clock, raised, now)],
    [alarm.resetTime === undefined ? words.standing : words.stood, ageText(end - raised)],
    [words.times, String(alarm.occurrences)],
  ] as const;
  return (
    <dl className={styles.figures}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="figures" title={value}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function PanelTabs({ alarm, search, change }: PanelProps & { readonly alarm: FullAlarm }): ReactElement {
  const words = useWords().panel;
  const tabs = [
    { tab: undefined, name: words.whatHappens },
    { tab: 'history', name: `${words.history} ${alarm.occurrences}` },
    { tab: 'details', name: words.details },
  ] as const;
  return (
    <div className={styles.tabs} role="tablist">
      {tabs.map(({ tab, name }) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={search.tab === tab}
          onClick={() => change({ ...search, tab })}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
