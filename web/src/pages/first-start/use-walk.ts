// The way from an empty installation to an alarm that somebody has taken: how far it is, and how long it took.

import type { DemoPlant } from '@tocsin/client';
import { useEffect, useState } from 'react';
import { type AlarmView, useAlarmViews } from '../../data/alarm-views.tsx';
import { useDemoActions } from '../../data/demo.ts';
import { useSite } from '../../data/directory.ts';

export type Walk = {
  readonly demo: DemoPlant | undefined;
  /** The alarm that calls Ana, as the hub tells it. */
  readonly alarm: AlarmView | undefined;
  readonly isRaised: boolean;
  /** Somebody has taken it or, without simulated phones, the call is under way. */
  readonly isOver: boolean;
  /** Milliseconds from the click to the end. */
  readonly tookMs: number | undefined;
  readonly hasPhones: boolean;
  readonly doing: ReturnType<typeof useDemoActions>['doing'];
  readonly trouble: string;
  readonly start: () => void;
  readonly remove: () => void;
};

export function useWalk(onBegin: () => void, onRemoved: () => void): Walk {
  const { doing, trouble, make, remove } = useDemoActions();
  const hasPhones = !useSite().isKnown(({ simulatedPhones }) => !simulatedPhones);
  const [begun, setBegun] = useState(0);
  const [demo, setDemo] = useState<DemoPlant>();
  const [isRaised, setRaised] = useState(false);
  const [endedAt, setEndedAt] = useState<number>();
  const alarm = useAlarmViews().find(({ id }) => id === demo?.alarmId);
  const isOver = alarm !== undefined && (hasPhones ? (alarm.state & 2) === 0 : alarm.openCalls.length > 0);
  // An alarm that is taken may return to normal and leave the list: what has happened stays.
  useEffect(() => {
    if (alarm !== undefined) setRaised(true);
    if (isOver) setEndedAt((known) => known ?? Date.now());
  }, [alarm, isOver]);
  return {
    demo,
    alarm,
    isRaised,
    isOver: endedAt !== undefined,
    tookMs: endedAt === undefined ? undefined : endedAt - begun,
    hasPhones,
    doing,
    trouble,
    start: async () => {
      setBegun(Date.now());
      onBegin();
      setDemo(await make());
    },
    remove: async () => {
      if ((await remove()) === true) onRemoved();
    },
  };
}
