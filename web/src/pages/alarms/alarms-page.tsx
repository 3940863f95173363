// The screen of the current alarms: views, filters, the list, and the panel of the open alarm.

import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useCallback, useMemo, useRef, useState } from 'react';
import { type AlarmView, useAlarmViews } from '../../data/alarm-views.tsx';
import type { Refused } from '../../data/refusals.ts';
import { useLinkHealth, useLive } from '../../data/use-live.ts';
import { AlarmList } from './alarm-list.tsx';
import { AlarmToolbar } from './alarm-toolbar.tsx';
import styles from './alarms-page.module.css';
import { type AlarmsSearch, filterOf } from './alarms-search.ts';
import { CommentDialog } from './comment-dialog.tsx';
import { MaskDialog } from './mask-dialog.tsx';
import { matches } from './order/arrange.ts';
import { useHeldOrder } from './order/use-held-order.ts';
import { AlarmPanel } from './panel/alarm-panel.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { CatchingUpBar, StaleBar } from './stale-bar.tsx';
import { useAcknowledge } from './use-acknowledge.ts';
import { type Asking, focusRow, useAlarmKeys } from './use-alarm-keys.ts';
import { useSelection } from './use-selection.ts';
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
  const { selected, setSelected } = selection;
  const acknowledge = useAcknowledge();
  /** What is refused stays selected, or becomes so: the bar of the selection says why. */
  const acknowledgeAll = async (ids: readonly number[], comment?: string): Promise<readonly Refused[] | undefined> => {
    const left = await acknowledge.run(ids, comment);
    if (left !== undefined) setSelected(new Set(left.map(({ id }) => id)));
    return left;
  };
  const [asking, ask] = useState<Asking>();
  /** What was not all on screen is confirmed, with its count. */
  const acknowledgeOrAsk = (ids: readonly number[]): void => {
    if (selection.isWhole) ask({ what: 'confirm', ids });
    else void acknowledgeAll(ids);
  };
  const keys = useAlarmKeys({
    ...{ order, search, change, selection, ask },
    acknowledge: acknowledgeOrAsk,
  });
  const opened = alarms.find(({ id }) => id === search.id);
  const asked = search.ask === 'mask' && search.id !== undefined ? { what: search.ask, ids: [search.id] } : asking;
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
          {...{ alarms, selection, ask }}
          rows={order.rows}
          {...acknowledge}
          acknowledge={acknowledgeOrAsk}
        />
      </section>
      {search.id === undefined ? null : (
        <AlarmPanel
          key={search.id}
          id={search.id}
          {...{ search, change }}
          live={opened}
          isSelecting={selected.size > 0}
          onMask={() => ask({ what: 'mask', ids: [search.id ?? 0] })}
          onStep={keys.step}
        />
      )}
      {asked === undefined ? null : <AskDialog {...{ asked, alarms }} acknowledge={acknowledgeAll} onClose={close} />}
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

type AskDialogProps = {
  readonly asked: Asking;
  readonly alarms: readonly AlarmView[];
  readonly acknowledge: (ids: readonly number[], comment: string) => Promise<readonly Refused[] | undefined>;
  readonly onClose: () => void;
};

/** The alarms are those of the moment it was opened: one that leaves the list meanwhile stays in the dialog. */
function AskDialog({ asked, alarms, acknowledge, onClose }: AskDialogProps): ReactElement | null {
  const meant = useRef<readonly AlarmView[]>([]);
  if (meant.current.length === 0) meant.current = alarms.filter(({ id }) => asked.ids.includes(id));
  if (meant.current.length === 0) return null;
  if (asked.what === 'mask') return <MaskDialog alarms={meant.current} onClose={onClose} />;
  return (
    <CommentDialog
      alarms={meant.current}
      {...(asked.what !== 'comment' && { acknowledge })}
      isCommentOptional={asked.what === 'confirm'}
      onClose={onClose}
    />
  );
}
