// The alarms with what the screens show of them: station, hue, text and the calls for them. Made once for all screens, and
// of an alarm again only when it has changed.

import { useQueryClient } from '@tanstack/react-query';
import type { Alarm, OpenCall } from '@tocsin/client';
import { createContext, type ReactElement, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { type Hue, hueOf } from '../components/mark.tsx';
import { useDataServers, useSite, useStations } from './directory.ts';
import { useLive } from './use-live.ts';

export type AlarmView = Alarm & {
  readonly hue: Hue;
  readonly system: boolean;
  readonly text: string;
  readonly station: string;
  readonly raisedAt: number;
  /** The calls under way for it, the newest first. */
  readonly openCalls: readonly OpenCall[];
  /** Whether somebody may be called for it without a call among them: it came since the calls were read. */
  readonly isUndecided: boolean;
};

const AlarmViewsContext = createContext<readonly AlarmView[]>([]);

export function useAlarmViews(): readonly AlarmView[] {
  return useContext(AlarmViewsContext);
}

export function AlarmViewsProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const { alarms, calls, undecided } = useLive();
  const place = usePlaceOf();
  useUnknownServers(alarms);
  const made = useRef(new Map<number, Made>());
  const views = useMemo(() => {
    const callsOf = callsByAlarm(calls.values());
    const before = made.current;
    made.current = new Map();
    return Array.from(alarms.values(), (alarm) => {
      const openCalls = callsOf.get(alarm.id) ?? noCalls;
      const known = before.get(alarm.id);
      const isUndecided = undecided.has(alarm.id);
      const isCurrent =
        known?.alarm === alarm &&
        known.place === place &&
        known.view.isUndecided === isUndecided &&
        isSame(known.view.openCalls, openCalls);
      const one = isCurrent ? known : { alarm, place, view: viewOf(alarm, place(alarm), { openCalls, isUndecided }) };
      made.current.set(alarm.id, one);
      return one.view;
    });
  }, [alarms, calls, undecided, place]);
  return <AlarmViewsContext value={views}>{children}</AlarmViewsContext>;
}

/** A view with what it was made of. */
type Made = { readonly alarm: Alarm; readonly place: (alarm: Alarm) => Place; readonly view: AlarmView };

const noCalls: readonly OpenCall[] = [];

function isSame(calls: readonly OpenCall[], others: readonly OpenCall[]): boolean {
  return calls.length === others.length && calls.every((call, index) => call === others[index]);
}

type Place = { readonly station: string; readonly stationId: number | undefined; readonly system: boolean };

/** The hub does not say where an alarm is: its data server does. */
function usePlaceOf(): (alarm: Alarm) => Place {
  const stations = useStations();
  const servers = useDataServers();
  const site = useSite();
  return useMemo(() => {
    const systemServers = new Set(
      site.choices(({ systemDataServers = [] }) => systemDataServers).map(({ dataServerId }) => dataServerId),
    );
    return (alarm) => {
      const stationId = alarm.stationId ?? stationOf(servers, alarm.dataServerId);
      const system = alarm.system ?? systemServers.has(alarm.dataServerId);
      return { stationId, system, station: stations.name((all) => all.get(stationId ?? 0)?.name, '') };
    };
  }, [stations, servers, site]);
}

/** Undefined for a data server that is not known, or not yet. */
function stationOf(servers: ReturnType<typeof useDataServers>, id: number): number | undefined {
  return servers.when({ known: (all) => all.get(id)?.stationId, unread: () => undefined });
}

const lookUpMs = 10_000;
const mostLookUpMs = 640_000;
const placeKeys = ['dataservers', 'stations', 'site'] as const;

/**
 * A data server that was made after the names were read is looked up; until then its alarms match every station. One that
 * this user may not see stays unknown: it is looked up ever more seldom.
 */
function useUnknownServers(alarms: ReadonlyMap<number, Alarm>): void {
  const servers = useDataServers();
  const queries = useQueryClient();
  const used = new Set(Array.from(alarms.values(), ({ dataServerId }) => dataServerId));
  const unknown = servers.name((all) => [...used.difference(new Set(all.keys()))].toSorted().join(), '');
  useEffect(() => {
    if (unknown === '') return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const lookUp = (pauseMs: number): void => {
      for (const key of placeKeys) void queries.refetchQueries({ queryKey: [key], exact: true });
      timer = setTimeout(() => lookUp(Math.min(pauseMs * 2, mostLookUpMs)), pauseMs);
    };
    lookUp(lookUpMs);
    return () => clearTimeout(timer);
  }, [unknown, queries]);
}

type OfCalls = Pick<AlarmView, 'openCalls' | 'isUndecided'>;

function viewOf(alarm: Alarm, { station, stationId, system }: Place, calls: OfCalls): AlarmView {
  return {
    ...alarm,
    ...(stationId === undefined ? {} : { stationId }),
    system,
    station: system ? 'Tocsin' : station,
    hue: hueOf({ priority: alarm.priority, system }),
    text: alarm.message === '' ? alarm.localizedName : alarm.message,
    raisedAt: Date.parse(alarm.alarmTime),
    ...calls,
  };
}

function callsByAlarm(calls: Iterable<OpenCall>): ReadonlyMap<number, readonly OpenCall[]> {
  const of = new Map<number, OpenCall[]>();
  for (const call of calls) {
    for (const { alarmId } of call.causes) {
      if (alarmId === undefined) continue;
      const known = of.get(alarmId);
      if (known === undefined) of.set(alarmId, [call]);
      else if (!known.includes(call)) known.unshift(call);
    }
  }
  return of;
}
