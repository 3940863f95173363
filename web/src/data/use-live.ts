// The live alarms for components, and whether what they show may be out of date.

import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';
import { useSite } from './directory.ts';
import type { LiveAlarms, LiveSnapshot } from './live-alarms.ts';
import { useNow } from './time/now.ts';
import { type Trouble, troublesOf } from './trouble.ts';

export const LiveContext = createContext<LiveAlarms | undefined>(undefined);

export function useLiveAlarms(): LiveAlarms {
  const live = useContext(LiveContext);
  if (live === undefined) throw new Error('The live alarms are read outside of a signed-in screen.');
  return live;
}

export function useLive(): LiveSnapshot {
  const live = useLiveAlarms();
  return useSyncExternalStore(live.subscribe, live.snapshot);
}

const defaultKeepAliveSeconds = 15;
/** A hub that was asked whether it is there, and says nothing for so long, is told as lost. */
const longestUnansweredMs = 5_000;

export type LinkHealth = {
  /** Milliseconds since anything came from the hub; undefined before the first news. */
  readonly quietForMs: number | undefined;
  readonly lastNews: number;
  /** Nothing came for one and a half keep-alives of the hub, for five seconds after it was asked, or at all: what is shown may be wrong. */
  readonly isStale: boolean;
};

export function useLinkHealth(): LinkHealth {
  const live = useLiveAlarms();
  // Reckoned anew each second.
  useNow();
  const site = useSite();
  const keepAlive = site.when({
    known: ({ hubKeepAliveSeconds = defaultKeepAliveSeconds }) => hubKeepAliveSeconds,
    unread: () => defaultKeepAliveSeconds,
  });
  const { lastNews, quietMs: quietForMs, silentMs, unansweredMs } = live;
  const { link } = useLive();
  const isSilent = silentMs > keepAlive * 1_500 || unansweredMs > longestUnansweredMs;
  const isStale = (quietForMs === undefined && link.kind === 'lost') || isSilent;
  return { lastNews, quietForMs, isStale };
}

export function useTroubles(): readonly Trouble[] {
  const { server } = useLive();
  const { isStale } = useLinkHealth();
  return useMemo(() => troublesOf(isStale, server), [isStale, server]);
}
