// The views of the alarm list as tabs with live counts: all, by state, and those that were saved.

import { type ReactElement, useLayoutEffect, useMemo, useState } from 'react';
import { IconPlus, IconTrash } from '../../../components/icons.tsx';
import { isForScreen } from '../../../components/keys.ts';
import type { AlarmView } from '../../../data/alarm-views.tsx';
import { figureOf, unknownFigure } from '../../../data/lists/list-state.ts';
import { useSavedViews, type View } from '../../../data/saved-views.ts';
import { useLive } from '../../../data/use-live.ts';
import { useWords } from '../../../words/use-words.ts';
import { type AlarmsSearch, filterOf, filtersIn } from '../alarms-search.ts';
import { matches } from '../order/arrange.ts';
import { useServerMatches } from '../use-server-matches.ts';
import { SaveViewDialog } from './save-view-dialog.tsx';
import styles from './view-tabs.module.css';

type TabsProps = {
  readonly search: AlarmsSearch;
  readonly change: (search: AlarmsSearch) => void;
  readonly alarms: readonly AlarmView[];
};

type Tab = { readonly name: string; readonly search: AlarmsSearch; readonly saved?: View };

export function ViewTabs({ search, change, alarms }: TabsProps): ReactElement {
  const words = useWords().alarms;
  const { views, remove, save } = useSavedViews();
  const [isSaving, setSaving] = useState(false);
  const tabs: readonly Tab[] = [
    { name: words.all, search: {} },
    { name: words.unacknowledged, search: { state: 'unacknowledged' } },
    { name: words.acknowledged, search: { state: 'acknowledged' } },
    { name: words.masked, search: { state: 'masked' } },
    ...views.map((saved) => ({ name: saved.name, search: { ...filtersIn(saved.query), view: saved.name }, saved })),
  ];
  const open = (tab: Tab): void => change({ ...tab.search, id: search.id, tab: search.tab });
  useTabKeys(tabs, open);
  const opened = tabs.find(({ saved }) => saved !== undefined && saved.name === search.view);
  const isChanged = opened === undefined ? hasOwnFilters(search) : filterOf(opened.search) !== filterOf(search);
  const isSelected = (tab: Tab): boolean =>
    opened === undefined ? tab.saved === undefined && tab.search.state === search.state : tab === opened;
  return (
    <div className={styles.views}>
      <div className={styles.tabs} role="tablist" aria-label={words.views}>
        {tabs.map((tab) => (
          <button key={tab.name} type="button" role="tab" aria-selected={isSelected(tab)} onClick={() => open(tab)}>
            {tab.name} <Count tab={tab} alarms={alarms} />
          </button>
        ))}
      </div>
      {opened?.saved === undefined || isChanged ? null : (
        <button
          type="button"
          className={styles.icon}
          aria-label={words.removeView(opened.name)}
          title={words.removeView(opened.name)}
          onClick={() => void remove(opened.saved as View).then(() => change({}))}
        >
          <IconTrash size={15} stroke={1.75} />
        </button>
      )}
      {isChanged ? (
        <button type="button" className={styles.save} onClick={() => setSaving(true)}>
          <IconPlus size={15} stroke={2} /> {words.saveView}
        </button>
      ) : null}
      {isSaving ? (
        <SaveViewDialog
          name={opened?.name ?? ''}
          isShared={opened?.saved?.isShared ?? false}
          onClose={() => setSaving(false)}
          onSave={async (name, isShared) => {
            await save({ name, isShared, query: filterOf(search) });
            change({ ...search, view: name });
          }}
        />
      ) : null}
    </div>
  );
}

/** Whether there are filters beside that of the state, which has tabs of its own. */
function hasOwnFilters(search: AlarmsSearch): boolean {
  return filterOf({ ...search, state: undefined }) !== '';
}

function Count({ tab, alarms }: { readonly tab: Tab; readonly alarms: readonly AlarmView[] }): ReactElement {
  const { ids, isKnown } = useServerMatches(tab.search);
  const { alarmList } = useLive();
  const count = useMemo(
    () => alarms.filter((alarm) => matches(alarm, tab.search, ids)).length,
    [alarms, tab.search, ids],
  );
  return <span className="figures">{isKnown ? figureOf(alarmList, count) : unknownFigure}</span>;
}

/** The first nine views are on the keys 1 to 9. */
function useTabKeys(tabs: readonly Tab[], open: (tab: Tab) => void): void {
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const tab = /^[1-9]$/.test(event.key) ? tabs[Number(event.key) - 1] : undefined;
      if (tab !== undefined && isForScreen(event)) open(tab);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}
