// The head of the alarm list: title, views with their counts, the search, filters, and the total.

import type { ReactElement, RefObject } from 'react';
import { toggleDensity } from '../../app/theme.ts';
import { IconButton, KeyCap } from '../../components/button.tsx';
import { IconDownload, IconRowInsertTop, IconSearch, IconX } from '../../components/icons.tsx';
import type { AlarmView } from '../../data/alarm-views.tsx';
import { useCallGroups, useStations } from '../../data/directory.ts';
import { useLive } from '../../data/use-live.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './alarm-toolbar.module.css';
import { type AlarmsSearch, idsIn } from './alarms-search.ts';
import { downloadAlarms } from './download-alarms.ts';
import { ViewTabs } from './view-tabs.tsx';

type ToolbarProps = {
  readonly search: AlarmsSearch;
  readonly change: (search: AlarmsSearch) => void;
  readonly alarms: readonly AlarmView[];
  readonly matching: readonly AlarmView[];
  readonly searchField: RefObject<HTMLInputElement | null>;
};

export function AlarmToolbar(props: ToolbarProps): ReactElement {
  const { matching } = props;
  const words = useWords().alarms;
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
      <div className={styles.line}>
        <Search {...props} />
        <Filters {...props} />
        <Total {...props} />
      </div>
    </div>
  );
}

function Search({ search, change, searchField }: ToolbarProps): ReactElement {
  const words = useWords().alarms;
  return (
    <label className={styles.search}>
      <IconSearch size={16} stroke={1.75} />
      <input
        ref={searchField}
        type="search"
        placeholder={words.search}
        aria-label={words.search}
        value={search.q ?? ''}
        onChange={(event) => change({ ...search, q: event.target.value === '' ? undefined : event.target.value })}
      />
      <KeyCap>/</KeyCap>
    </label>
  );
}

function Filters({ search, change }: ToolbarProps): ReactElement {
  const words = useWords();
  const stations = useStations().data;
  const groups = useCallGroups().data;
  const namesOf = (
    list: string | undefined,
    names: ReadonlyMap<number, { readonly name: string }> | undefined,
  ): string =>
    idsIn(list)
      .map((id) => names?.get(id)?.name ?? `#${id}`)
      .join(', ');
  const set = (key: 'station' | 'group', value: string): void =>
    change({ ...search, [key]: value === '' ? undefined : value });
  const hue = search.priority;
  return (
    <div className={styles.filters}>
      <Choice
        name={words.alarms.station}
        value={namesOf(search.station, stations)}
        options={[...(stations?.values() ?? [])]}
        onChange={(value) => set('station', value)}
      />
      <Choice
        name={words.alarms.group}
        value={namesOf(search.group, groups)}
        options={[...(groups?.values() ?? [])]}
        onChange={(value) => set('group', value)}
      />
      {hue === undefined ? null : (
        <Removable
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
    </div>
  );
}

type ChoiceProps = {
  readonly name: string;
  /** The names that are chosen; empty: any. */
  readonly value: string;
  readonly options: readonly { readonly id: number; readonly name: string }[];
  readonly onChange: (ids: string) => void;
};

/** A chip over a native list, which every keyboard, reader and phone knows. */
function Choice({ name, value, options, onChange }: ChoiceProps): ReactElement {
  const words = useWords().alarms;
  if (value !== '') return <Removable name={name} value={value} onRemove={() => onChange('')} />;
  return (
    <label className={styles.chip}>
      {name} <b>{words.any}</b>
      <select className={styles.native} aria-label={name} value="" onChange={(event) => onChange(event.target.value)}>
        <option value="">{words.any}</option>
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </select>
    </label>
  );
}

type RemovableProps = { readonly name: string; readonly value: string; readonly onRemove: () => void };

function Removable({ name, value, onRemove }: RemovableProps): ReactElement {
  const words = useWords().alarms;
  return (
    <span className={styles.chip}>
      {name} <b>{value}</b>
      <button type="button" aria-label={words.removeFilter(name)} onClick={onRemove}>
        <IconX size={14} stroke={2} />
      </button>
    </span>
  );
}

function Total({ matching }: ToolbarProps): ReactElement {
  const words = useWords().alarms;
  const { reading } = useLive();
  if (reading?.total === 0) return <span className={styles.total} />;
  const text = reading === undefined ? words.total(matching.length) : words.reading(reading.read, reading.total);
  return <span className={`${styles.total} figures`}>{text}</span>;
}
