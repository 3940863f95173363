// Shows the first start instead of the alarms while there is no alarm, no group and no user but one, and until its way is walked.

import { lazy, type ReactElement, Suspense, useState } from 'react';
import { useAlarmViews } from '../../data/alarm-views.tsx';
import { useCallGroups, useUsers } from '../../data/directory.ts';
import { useIdentity } from '../../data/rights.ts';
import { useLive } from '../../data/use-live.ts';
import { AlarmsPage } from '../alarms/alarms-page.tsx';

/** Few open it more than once. */
const FirstStartPage = lazy(async () => ({ default: (await import('./first-start-page.tsx')).FirstStartPage }));

export function FirstStartGate(): ReactElement | null {
  const isEmpty = useIsEmpty();
  const [isWalking, setWalking] = useState(false);
  const [round, setRound] = useState(0);
  if (isWalking || isEmpty === true)
    return (
      <Suspense>
        <FirstStartPage
          key={round}
          onBegin={() => setWalking(true)}
          onKept={() => setWalking(false)}
          onRemoved={() => {
            setWalking(false);
            setRound(round + 1);
          }}
        />
      </Suspense>
    );
  return isEmpty === undefined ? null : <AlarmsPage />;
}

/** Undefined until it is known. Whoever may not read the directory sees the alarms. */
function useIsEmpty(): boolean | undefined {
  const hasAlarms = useAlarmViews().some(({ system }) => !system);
  const { reading, link } = useLive();
  const groups = useCallGroups();
  const users = useUsers();
  const access = useIdentity();
  if (hasAlarms || groups.isError || users.isError) return false;
  // The alarms say that there is no connection.
  if (link.kind === 'lost') return false;
  if (groups.data === undefined || users.data === undefined) return undefined;
  if (groups.data.size > 0 || users.data.size > 1) return false;
  return reading === undefined && access.data !== undefined ? true : undefined;
}
