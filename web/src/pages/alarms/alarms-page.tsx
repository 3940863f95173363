// The screen of the current alarms: views, filters, the list, and the panel of the open alarm.

import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useCallback, useMemo, useState } from 'react';
import { useAlarmViews } from '../../data/alarm-views.tsx';
import { useLinkHealth, useLive } from '../../data/use-live.ts';
import { AlarmList } from './alarm-list.tsx';
import { AlarmPanel } from './alarm-panel.tsx';
import { AlarmToolbar } from './alarm-toolbar.tsx';
import styles from './alarms-page.module.css';
import { type AlarmsSearch, filterOf } from './alarms-search.ts';
import { matches } from './arrange.ts';
import { MaskDialog } from './mask-dialog.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { CatchingUpBar, StaleBar } from './stale-bar.tsx';
import { useAlarmKeys } from './use-alarm-keys.ts';
import { useHeldOrder } from './use-held-order.ts';
import { useServerMatches } from './use-server-matches.ts';

const route = getRouteApi('/alarms');

export function AlarmsPage(): ReactElement {
  const search = route.useSearch();
  const navigate = useNavigate();
  const change = useCallback(
    (next: AlarmsSearch) => void navigate({ to: '/alarms', search: next, replace: next.id === search.id }),
    [navigate, search.id],
  );
  const alarms = useAlarmViews();
  const serverMatches = useServerMatches(search);
  const matching = useMemo(
    () => alarms.filter((one) => matches(one, search, serverMatches)),
    [alarms, search, serverMatches],
  );
  const { isStale } = useLinkHealth();
  const { reading, missedSince } = useLive();
  const order = useHeldOrder(matching, reading !== undefined, filterOf(search));
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [masking, setMasking] = useState<readonly number[]>([]);
  const keys = useAlarmKeys({ rows: order.rows, search, change, selected, setSelected, setMasking });
  const opened = alarms.find(({ id }) => id === search.id);
  const maskIds = search.ask === 'mask' && search.id !== undefined ? [search.id] : masking;
  const toMask = alarms.filter(({ id }) => maskIds.includes(id));
  const closeMask = (): void => {
    setMasking([]);
    if (search.ask !== undefined) change({ ...search, ask: undefined });
  };
  return (
    <div className={styles.page} data-panel={search.id === undefined ? undefined : ''}>
      <section className={styles.list} aria-busy={reading !== undefined}>
        <AlarmToolbar {...{ search, change, alarms, matching }} />
        {isStale ? <StaleBar /> : missedSince === undefined ? null : <CatchingUpBar since={missedSince} />}
        <AlarmList
          {...{ order, search, change, selected, setSelected, total: alarms.length }}
          focusedId={keys.focusedId}
          setFocused={keys.setFocused}
        />
        <SelectionBar {...{ alarms, selected, setSelected }} onMask={() => setMasking([...selected])} />
      </section>
      {search.id === undefined ? null : (
        <AlarmPanel
          key={search.id}
          id={search.id}
          {...{ search, change }}
          live={opened}
          onMask={() => setMasking([search.id ?? 0])}
          onStep={keys.step}
        />
      )}
      {toMask.length > 0 ? <MaskDialog alarms={toMask} onClose={closeMask} /> : null}
    </div>
  );
}
