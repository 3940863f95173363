// The screen of the current alarms: views, filters, the list, and the panel of the open alarm.

import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useCallback, useMemo, useState } from 'react';
import { useAlarmViews } from '../../data/alarm-views.tsx';
import { useLinkHealth, useLive } from '../../data/use-live.ts';
import { AlarmList } from './alarm-list.tsx';
import { AlarmToolbar } from './alarm-toolbar.tsx';
import styles from './alarms-page.module.css';
import { type AlarmsSearch, filterOf } from './alarms-search.ts';
import { AskDialog } from './asking/ask-dialog.tsx';
import type { Asking } from './asking/asking.ts';
import { matches } from './order/arrange.ts';
import { useHeldOrder } from './order/use-held-order.ts';
import { AlarmPanel } from './panel/alarm-panel.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { CatchingUpBar, StaleBar } from './stale-bar.tsx';
import { focusRow, useAlarmKeys } from './use-alarm-keys.ts';
import { useSelection } from './use-selection.ts';
import { useSelectionCommands } from './use-selection-commands.ts';
import { useServerMatches } from './use-server-matches.ts';

const route = getRouteApi('/alarms');

export function AlarmsPage(): ReactElement {
  const search = route.useSearch();
  const change = useChange(search.id);
  const alarms = useAlarmViews();
  const { ids: serverMatches, isKnown } = useServerMatches(search);
  const matching = useMemo(
    () => alarms.filter((one) => matches(one, search, serverMatches)),
    [alarms, search, serverMatches],
  );
  const { isStale } = useLinkHealth();
  const { alarmList, missedSince } = useLive();
  const order = useHeldOrder(matching, alarmList.kind === 'reading', filterOf(search), search.sort);
  const selection = useSelection(order.rows);
  const [asking, ask] = useState<Asking>();
  const commands = useSelectionCommands(selection, ask);
  const keys = useAlarmKeys({
    ...{ order, search, change, selection, ask },
    acknowledge: commands.acknowledgeOrAsk,
  });
  const opened = alarms.find(({ id }) => id === search.id);
  const maskOf = (id: number): Asking => ({ what: 'mask', ids: [id], isWhole: false });
  const asked = search.ask === 'mask' && search.id !== undefined ? maskOf(search.id) : asking;
  const close = (): void => {
    ask(undefined);
    if (keys.focusedId !== undefined) focusRow(keys.focusedId);
    if (search.ask !== undefined) change({ ...search, ask: undefined });
  };
  return (
    <div className={styles.page} data-panel={search.id === undefined ? undefined : ''}>
      <section className={styles.list} aria-busy={alarmList.kind !== 'read'}>
        <AlarmToolbar {...{ search, change, alarms, matching }} isMatchKnown={isKnown} />
        {isStale ? <StaleBar /> : missedSince === undefined ? null : <CatchingUpBar since={missedSince} />}
        <AlarmList {...{ order, search, change, selection, keys, total: alarms.length }} />
        <SelectionBar
          {...{ alarms, selection, ask, commands }}
          rows={order.rows}
          isFilterKnown={isKnown && alarmList.kind === 'read'}
        />
      </section>
      {search.id === undefined ? null : (
        <AlarmPanel
          key={search.id}
          id={search.id}
          {...{ search, change }}
          live={opened}
          isSelecting={selection.selected.size > 0}
          onMask={() => ask(maskOf(search.id ?? 0))}
          onStep={keys.step}
        />
      )}
      {asked === undefined ? null : <AskDialog {...{ asked, alarms, matching, commands }} onClose={close} />}
    </div>
  );
}

/** Changes the address. Only opening a panel is a step that Back takes back, so that Back closes it. */
function useChange(openId: number | undefined): (search: AlarmsSearch) => void {
  const navigate = useNavigate();
  return useCallback(
    (next) => {
      const isOpening = openId === undefined && next.id !== undefined;
      void navigate({ to: '/alarms', search: next, replace: !isOpening });
    },
    [navigate, openId],
  );
}
