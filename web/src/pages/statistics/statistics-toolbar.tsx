// The head of the statistics: tabs, filters, period, comparison and export.

import type { ReactElement } from 'react';
import { Button } from '../../components/button.tsx';
import { Dropdown, DropdownItem } from '../../components/dropdown.tsx';
import { FilterChoice } from '../../components/filter-chip.tsx';
import { IconCalendar, IconDownload, IconPrinter, IconUsersGroup } from '../../components/icons.tsx';
import { OwnPeriod } from '../../components/own-period.tsx';
import { useCallGroups, useStations } from '../../data/directory.ts';
import type { Read } from '../../data/lists/read.ts';
import { type PeriodSearch, periodNames } from '../../data/time/period.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { rangeText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { downloadAlarms, downloadBars, downloadPeople } from './download-statistics.ts';
import { showNames, useAreNamesShown, usePersonName } from './names-setting.ts';
import type { Bars } from './series.ts';
import styles from './statistics-page.module.css';
import { periodKey, type StatisticsSearch, usualPeriod } from './statistics-search.ts';
import { type Asked, useFrequent, usePeople } from './use-statistics.ts';

type ToolbarProps = {
  readonly asked: Asked;
  readonly search: StatisticsSearch;
  readonly change: (search: StatisticsSearch) => void;
  readonly bars: Read<Bars>;
};

export function StatisticsToolbar(props: ToolbarProps): ReactElement {
  const { search, change } = props;
  const words = useWords();
  const stations = useStations().map((all) => all.values());
  const groups = useCallGroups().map((all) => all.values());
  const { timeBefore, compare } = words.statistics;
  return (
    <header className={styles.head}>
      <h1>{words.statistics.title}</h1>
      <Tabs {...props} />
      <div className={styles.controls}>
        <FilterChoice
          name={words.alarms.station}
          value={search.station}
          options={stations}
          onChange={(station) => change({ ...search, station })}
        />
        <FilterChoice
          name={words.alarms.group}
          value={search.group}
          options={groups}
          onChange={(group) => change({ ...search, group })}
        />
        <PeriodMenu {...props} />
        <Button
          isPressed={search.compare !== 0}
          onClick={() => change({ ...search, compare: search.compare === 0 ? undefined : 0 })}
        >
          {compare(timeBefore[periodKey(search)])}
        </Button>
        <ExportMenu {...props} />
      </div>
    </header>
  );
}

function Tabs({ asked, search, change }: ToolbarProps): ReactElement {
  const words = useWords().statistics;
  const alarms = useFrequent(asked).map(({ paging }) => paging.total);
  const people = usePeople(asked).map(({ length }) => length);
  const tabs = [
    { tab: undefined, name: words.tabs.overview, count: undefined },
    { tab: 'alarms', name: words.tabs.alarms, count: alarms },
    { tab: 'people', name: words.tabs.people, count: people },
  ] as const;
  return (
    <div className={styles.tabs} role="tablist">
      {tabs.map(({ tab, name, count }) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={search.tab === tab}
          onClick={() => change({ ...search, tab })}
        >
          {name} {count === undefined ? null : <span className="figures">{count.figure((known) => known)}</span>}
        </button>
      ))}
    </div>
  );
}

function PeriodMenu({ asked, search, change }: ToolbarProps): ReactElement {
  const words = useWords().period;
  const clock = usePlantClock();
  const name = periodKey(search);
  const range = rangeText(clock, asked.period.from, asked.period.to);
  const label = name === 'own' ? range : name === 'week' ? `${words.names[name]}, ${range}` : words.names[name];
  return (
    <Dropdown name={label} icon={IconCalendar}>
      {(close) => {
        const choose = (chosen: PeriodSearch): void => {
          const { period: _, from: __, to: ___, ...rest } = search;
          change({ ...rest, ...chosen });
          close();
        };
        return (
          <>
            {periodNames.map((period) => (
              <DropdownItem
                key={period}
                isChosen={period === name}
                onClick={() => choose(period === usualPeriod ? {} : { period })}
              >
                {words.names[period]}
              </DropdownItem>
            ))}
            <OwnPeriod period={asked.period} onChange={choose} />
          </>
        );
      }}
    </Dropdown>
  );
}

function ExportMenu({ asked, search, bars }: ToolbarProps): ReactElement {
  const words = useWords().statistics;
  const areNamesShown = useAreNamesShown();
  const nameOf = usePersonName();
  return (
    <Dropdown name={words.export} icon={IconDownload}>
      {(close) => {
        const run = (action: () => unknown) => () => {
          close();
          void action();
        };
        return (
          <>
            <DropdownItem icon={IconDownload} onClick={run(() => downloadAlarms(asked, search.order ?? 'number'))}>
              {words.exportAlarms}
            </DropdownItem>
            <DropdownItem icon={IconDownload} onClick={run(() => downloadPeople(asked, areNamesShown, nameOf))}>
              {words.exportPeople}
            </DropdownItem>
            {bars.when({
              unread: () => null,
              known: (known) => (
                <DropdownItem icon={IconDownload} onClick={run(() => downloadBars(asked, known.bars))}>
                  {words.exportChart}
                </DropdownItem>
              ),
            })}
            <DropdownItem icon={IconPrinter} onClick={run(() => setTimeout(() => print()))}>
              {words.print}
            </DropdownItem>
            <DropdownItem icon={IconUsersGroup} onClick={run(() => showNames(!areNamesShown))}>
              {words.names}: {areNamesShown ? words.namesShown : words.namesHidden}
            </DropdownItem>
          </>
        );
      }}
    </Dropdown>
  );
}
