// The head of the alarm list: title, views with their counts, the search, filters, and the total.

import { type ReactElement, useState } from 'react';
import { toggleDensity } from '../../app/theme.ts';
import { IconButton } from '../../components/button.tsx';
import { FilterChip, FilterIds, MoreFilters } from '../../components/filter-chip.tsx';
import { IconDownload, IconRowInsertTop } from '../../components/icons.tsx';
import { SearchField } from '../../components/search-field.tsx';
import type { AlarmView } from '../../data/alarm-views.tsx';
import { useCallGroups, useScenarios, useServerChoice, useStations, useTagGroups } from '../../data/directory.ts';
import { figureOf, type ListState, unknownFigure } from '../../data/lists/list-state.ts';
import type { Read } from '../../data/lists/read.ts';
import { useLive } from '../../data/use-live.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './alarm-toolbar.module.css';
import { type AlarmsSearch, filterOf, idsIn } from './alarms-search.ts';
import { downloadAlarms } from './download-alarms.ts';
import { ViewTabs } from './views/view-tabs.tsx';

type ToolbarProps = {
  readonly search: AlarmsSearch;
  readonly change: (search: AlarmsSearch) => void;
  readonly alarms: readonly AlarmView[];
  readonly matching: readonly AlarmView[];
  /** Whether all filters were applied, also those of which only the server knows. */
  readonly isMatchKnown: boolean;
};

export function AlarmToolbar(props: ToolbarProps): ReactElement {
  const { matching, search, change } = props;
  const words = useWords().alarms;
  const { alarmList } = useLive();
  const isFiltered = filterOf({ ...search, state: undefined }) !== '';
  return (
    <div className={styles.toolbar}>
      <div className={styles.line}>
        <h1 className={styles.title}>{words.title}</h1>
        <ViewTabs {...props} />
        <span className={styles.right}>
          <IconButton icon={IconRowInsertTop} label={words.density} onClick={toggleDensity} />
          <IconButton
            icon={IconDownload}
            label={words.export}
            onClick={() => downloadAlarms(matching, words.columns)}
          />
        </span>
      </div>
      {/* A phone has no room for the filters, but a list that is filtered must not look calm. */}
      {isFiltered ? (
        <p className={styles.filtered}>
          {words.filtered(shownFigure(props, alarmList), figureOf(alarmList, props.alarms.length))}{' '}
          <button type="button" onClick={() => change({ id: search.id, state: search.state })}>
            {words.clearFilters}
          </button>
        </p>
      ) : null}
      <div className={styles.line}>
        <SearchField value={props.search.q} onChange={(q) => props.change({ ...props.search, q })} />
        <Filters {...props} />
        <Total {...props} />
      </div>
    </div>
  );
}

const idFilters = ['station', 'group', 'tagGroup', 'scenario', 'server'] as const;
type IdFilter = (typeof idFilters)[number];

function Filters({ search, change }: ToolbarProps): ReactElement {
  const words = useWords();
  const [added, setAdded] = useState<readonly string[]>([]);
  const options: Readonly<Record<IdFilter, Read<Iterable<{ readonly id: number; readonly name: string }>>>> = {
    station: useStations().map((all) => all.values()),
    group: useCallGroups().map((all) => all.values()),
    tagGroup: useTagGroups().map((all) => all.values()),
    scenario: useScenarios().map((all) => all.values()),
    server: useServerChoice(),
  };
  const isShown = (key: IdFilter): boolean =>
    key === 'station' || key === 'group' || search[key] !== undefined || added.includes(key);
  const hue = search.priority;
  return (
    <div className={styles.filters}>
      {idFilters.filter(isShown).map((key) => (
        <FilterIds
          key={key}
          name={words.alarms[key]}
          ids={idsIn(search[key])}
          options={options[key]}
          onChange={(ids) => change({ ...search, [key]: ids.length === 0 ? undefined : ids.join(',') })}
        />
      ))}
      {hue === undefined ? null : (
        <FilterChip
          name={words.alarms.priority}
          value={hue === 'sys' ? words.mark.system : hue === 'p4' ? '4+' : hue.slice(1)}
          onRemove={() => change({ ...search, priority: undefined })}
        />
      )}
      <button
        type="button"
        className={styles.chip}
        onClick={() => change({ ...search, masked: search.masked === 0 ? undefined : 0 })}
      >
        {words.alarms.masked} <b>{search.masked === 0 ? words.alarms.hidden : words.alarms.shown}</b>
      </button>
      <MoreFilters
        kinds={idFilters.filter((key) => !isShown(key)).map((key) => ({ key, name: words.alarms[key] }))}
        onAdd={(key) => setAdded([...added, key])}
      />
    </div>
  );
}

function shownFigure({ matching, isMatchKnown }: ToolbarProps, list: ListState): string {
  return isMatchKnown ? figureOf(list, matching.length) : unknownFigure;
}

function Total(props: ToolbarProps): ReactElement {
  const words = useWords().alarms;
  const { alarmList } = useLive();
  const shown = shownFigure(props, alarmList);
  const isBeingRead = alarmList.kind === 'reading' && alarmList.total > 0;
  const read = shown === unknownFigure ? unknownFigure : words.total(props.matching.length);
  const text = isBeingRead ? words.reading(alarmList.read, alarmList.total) : read;
  return <span className={`${styles.total} figures`}>{text}</span>;
}
