// Shows the first start instead of the alarms while there is no alarm, no group and no user but one, and until its way is walked.

import { type ReactElement, useState } from 'react';
import { useAlarmViews } from '../../data/alarm-views.tsx';
import { useCallGroups, useUsers } from '../../data/directory.ts';
import { hasFigures } from '../../data/lists/list-state.ts';
import { both } from '../../data/lists/read.ts';
import { useIdentity } from '../../data/rights.ts';
import { useLive } from '../../data/use-live.ts';
import { AlarmsPage } from '../alarms/alarms-page.tsx';
import { FirstStartPage } from './first-start-page.tsx';

export function FirstStartGate(): ReactElement | null {
  const isEmpty = useIsEmpty();
  const [isWalking, setWalking] = useState(false);
  const [round, setRound] = useState(0);
  if (isWalking || isEmpty === true)
    return (
      <FirstStartPage
        key={round}
        onBegin={() => setWalking(true)}
        onKept={() => setWalking(false)}
        onRemoved={() => {
          setWalking(false);
          setRound(round + 1);
        }}
      />
    );
  return isEmpty === undefined ? null : <AlarmsPage />;
}

/** Undefined until it is known. Whoever may not read the directory sees the alarms. */
function useIsEmpty(): boolean | undefined {
  const hasAlarms = useAlarmViews().some(({ system }) => !system);
  const { alarmList, link } = useLive();
  const groups = useCallGroups();
  const users = useUsers();
  const access = useIdentity();
  if (hasAlarms || groups.state.kind === 'failed' || users.state.kind === 'failed') return false;
  // The alarms say that there is no connection, or that they could not be read.
  if (link.kind === 'lost' || alarmList.kind === 'failed') return false;
  const isDirectoryEmpty = both(groups, users).when({
    known: ([ofGroups, ofUsers]) => ofGroups.size === 0 && ofUsers.size < 2,
    unread: () => undefined,
  });
  if (isDirectoryEmpty !== true) return isDirectoryEmpty;
  return hasFigures(alarmList) && access.isKnown() ? true : undefined;
}
