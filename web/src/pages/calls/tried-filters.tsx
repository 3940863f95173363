// The filters of what was tried, as chips with the value in bold.

import type { ReactElement } from 'react';
import { Dropdown } from '../../components/dropdown.tsx';
import { OwnPeriod } from '../../components/own-period.tsx';
import { outcomes } from '../../data/attempt-outcome.ts';
import { useCallGroups, useUsers } from '../../data/directory.ts';
import { useNames } from '../../data/names.ts';
import type { Period } from '../../data/time/period.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { rangeText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { type CallsSearch, sinceNames } from './calls-search.ts';
import styles from './tried-filters.module.css';

type TriedFiltersProps = {
  readonly search: CallsSearch;
  readonly change: (search: CallsSearch) => void;
  /** What is shown now. */
  readonly period: Period;
};

export function TriedFilters({ search, change, period }: TriedFiltersProps): ReactElement {
  const words = useWords().calls;
  const { byId } = useNames();
  const users = useUsers()
    .choices((all) => all.keys())
    .map((id) => [String(id), byId(id)] as const);
  const groups = useCallGroups()
    .choices((all) => all.values())
    .map(({ id, name }) => [String(id), name] as const);
  const { filters } = words;
  const ownPeriod = useWords().period.own;
  const clock = usePlantClock();
  const own = ['own', '…'] as const;
  const isOwn = search.from !== undefined;
  const { since: _, from: __, to: ___, ...others } = search;
  const id = (value: string): number | undefined => (value === '' ? undefined : Number(value));
  return (
    <div className={styles.filters}>
      <Filter
        name={filters.person}
        usual={filters.any}
        choices={users}
        value={search.person}
        choose={(value) => change({ ...search, person: id(value) })}
      />
      <Filter
        name={filters.group}
        usual={filters.any}
        choices={groups}
        value={search.group}
        choose={(value) => change({ ...search, group: id(value) })}
      />
      <Filter
        name={filters.outcome}
        usual={filters.any}
        choices={outcomes.map((outcome) => [outcome, words.outcome[outcome]] as const)}
        value={search.outcome}
        choose={(value) => change({ ...search, outcome: outcomes.find((one) => one === value) })}
      />
      <Filter
        name={filters.since}
        usual={filters.midnight}
        choices={[...sinceNames.map((since) => [since, filters.sinceNames[since]] as const), ...(isOwn ? [own] : [])]}
        value={isOwn ? own[0] : search.since}
        choose={(value) => change({ ...others, since: sinceNames.find((one) => one === value) })}
      />
      <Dropdown name={isOwn ? rangeText(clock, period.from, period.to) : ownPeriod} isTab isChosen={isOwn}>
        {(close) => (
          <OwnPeriod
            period={period}
            onChange={(chosen) => {
              change({ ...others, ...chosen });
              close();
            }}
          />
        )}
      </Dropdown>
    </div>
  );
}

type FilterProps = {
  readonly name: string;
  /** The choice that filters nothing. */
  readonly usual: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly value: string | number | undefined;
  readonly choose: (value: string) => void;
};

function Filter({ name, usual, choices, value, choose }: FilterProps): ReactElement {
  return (
    <label className={styles.filter}>
      {name}
      <select value={value ?? ''} onChange={(event) => choose(event.target.value)}>
        <option value="">{usual}</option>
        {choices.map(([id, text]) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
