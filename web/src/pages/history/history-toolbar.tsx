// The head of the history: periods, search, filters and export.

import type { ReactElement } from 'react';
import { Button } from '../../components/button.tsx';
import { Dropdown } from '../../components/dropdown.tsx';
import { FilterChip, FilterChoice } from '../../components/filter-chip.tsx';
import { IconDownload } from '../../components/icons.tsx';
import { OwnPeriod } from '../../components/own-period.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { useCallGroups, useServerChoice, useStations, useTagGroups, useUsers } from '../../data/directory.ts';
import type { Read } from '../../data/lists/read.ts';
import { type Period, type PeriodSearch, periodNames } from '../../data/time/period.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { rangeText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { useDownload } from './download-history.ts';
import styles from './history-page.module.css';
import type { HistorySearch } from './history-search.ts';

type ToolbarProps = {
  readonly search: HistorySearch;
  readonly change: (search: HistorySearch) => void;
  readonly period: Period;
  readonly total: Read<number>;
  /** The text of the alarm whose entries are shown alone. */
  readonly alarmName: string | undefined;
};

export function HistoryToolbar(props: ToolbarProps): ReactElement {
  const { search, change, period, total } = props;
  const words = useWords();
  const download = useDownload(search, period, total);
  return (
    <header className={styles.toolbar}>
      <div className={styles.head}>
        <h1>{words.history.title}</h1>
        <Periods {...props} />
        <span className={styles.export}>
          <Button
            icon={IconDownload}
            blocked={total.isKnown() ? undefined : words.lists.reading}
            onClick={download.toggle}
          >
            {download.progress ?? total.name(words.history.export, words.lists.unknown)}
          </Button>
        </span>
      </div>
      <div className={styles.head}>
        <SearchField value={search.q} onChange={(q) => change({ ...search, q })} />
        <Filters {...props} />
      </div>
    </header>
  );
}

function Periods({ search, change, period }: ToolbarProps): ReactElement {
  const words = useWords();
  const clock = usePlantClock();
  const isOwn = search.from !== undefined;
  const choose = (chosen: PeriodSearch): void => {
    const { period: _, from: __, to: ___, ...rest } = search;
    change({ ...rest, ...chosen });
  };
  return (
    <div className={styles.periods}>
      <div className={styles.tabs} role="tablist">
        {periodNames.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={!isOwn && name === (search.period ?? '24h')}
            onClick={() => choose(name === '24h' ? {} : { period: name })}
          >
            {words.period.names[name]}
          </button>
        ))}
      </div>
      <Dropdown name={isOwn ? rangeText(clock, period.from, period.to) : words.period.own} isTab isChosen={isOwn}>
        {(close) => (
          <OwnPeriod
            period={period}
            onChange={(own) => {
              choose(own);
              close();
            }}
          />
        )}
      </Dropdown>
    </div>
  );
}

/** Each kind of filter, where there is something to choose from. */
function Filters({ search, change, alarmName }: ToolbarProps): ReactElement {
  const words = useWords();
  const users = useUsers().map((all) =>
    Array.from(all.values(), ({ id, name, firstName, displayName }) => ({
      id,
      name: displayName || firstName || name,
    })),
  );
  const kinds = [
    ['station', words.alarms.station, useStations().map((all) => [...all.values()])],
    ['server', words.history.server, useServerChoice()],
    ['tagGroup', words.history.tagGroup, useTagGroups().map((all) => [...all.values()])],
    ['group', words.history.group, useCallGroups().map((all) => [...all.values()])],
    ['user', words.history.columns.takenBy, users],
  ] as const;
  return (
    <div className={styles.filters}>
      {search.alarm === undefined ? null : (
        <FilterChip
          name={words.history.alarm}
          value={alarmName ?? `#${search.alarm}`}
          onRemove={() => change({ ...search, alarm: undefined })}
        />
      )}
      {kinds.map(([kind, name, values]) => {
        if (!values.isKnown(({ length }) => length > 1) && search[kind] === undefined) return null;
        return (
          <FilterChoice
            key={kind}
            name={name}
            value={search[kind]}
            options={values}
            onChange={(id) => change({ ...search, [kind]: id })}
          />
        );
      })}
    </div>
  );
}
