// The on-call screen: who has the duty when, what is wrong with it, and how to mend that.

import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactElement, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { isForScreen } from '../../components/keys.ts';
import { ListNote } from '../../components/list-note.tsx';
import { useRights } from '../../data/rights.ts';
import { useWords } from '../../words/use-words.ts';
import { useOwnDuties } from './give-dialog.tsx';
import { GroupList } from './group-list.tsx';
import { OnCallDialogs, type OpenDialog } from './on-call-dialogs.tsx';
import { OnCallHead } from './on-call-head.tsx';
import styles from './on-call-page.module.css';
import type { OnCallSearch } from './on-call-search.ts';
import { PlanGrid } from './plan-grid.tsx';
import { Strips } from './strips.tsx';
import { Summaries } from './summaries.tsx';
import { type Plan, usePlan } from './use-plan.ts';

const route = getRouteApi('/oncall');

export function OnCallPage(): ReactElement {
  const search = route.useSearch();
  const navigate = useNavigate();
  const plan = usePlan(search);
  const [dialog, setDialog] = useState<OpenDialog>();
  const isPhone = useIsPhone();
  const hasDuty = useOwnDuties(plan).length > 0;
  useKey('t', 'alarms:ack', () => setDialog({ kind: 'take', callGroupId: search.group }));
  useKey('h', 'directory:write', () => hasDuty && setDialog({ kind: 'give' }));
  const change = (next: OnCallSearch): void => void navigate({ to: '/oncall', search: next });
  const Shown = isPhone ? GroupList : PlanGrid;
  return (
    <div className={styles.page}>
      <OnCallHead {...{ search, change, plan, isPhone }} openDialog={setDialog} />
      <Strips plan={plan} openDialog={setDialog} />
      <Notes plan={plan} search={search} />
      {plan.shown.when({
        unread: () => null,
        known: ({ groups, total }) =>
          groups.length === 0 ? null : (
            <>
              <Shown plan={{ ...plan, groups, total }} openDialog={setDialog} />
              <Summaries plan={{ ...plan, groups, total }} view={search.view ?? 'week'} />
            </>
          ),
      })}
      {dialog === undefined ? null : <OnCallDialogs open={dialog} plan={plan} onClose={() => setDialog(undefined)} />}
    </div>
  );
}

function Notes({ plan, search }: { readonly plan: Plan; readonly search: OnCallSearch }): ReactElement | null {
  const words = useWords().onCall;
  return plan.shown.when({
    unread: (state) => <ListNote state={state} />,
    known: ({ groups, total, hasMore }) => {
      if (total === 0) return <p className={styles.note}>{words.noGroups}</p>;
      if (groups.length === 0)
        return (
          <p className={styles.note}>
            {words.noMatch} {search.q}
          </p>
        );
      return hasMore ? <p className={styles.note}>{words.notAll}</p> : null;
    },
  });
}

const phone = '(max-width: 639px)';

function useIsPhone(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(phone);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(phone).matches,
  );
}

/** `t` takes the duty, `h` gives one's own to somebody else. */
function useKey(key: string, scope: string, open: () => void): void {
  const { blockedBy } = useRights();
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== key || !isForScreen(event) || blockedBy(scope) !== undefined) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}
