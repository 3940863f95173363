// The alarms with what the screens show of them: station, hue, text and the calls for them. Made once for all screens, and
// of an alarm again only when it has changed.

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
  const stations = useStations().data;
  const servers = useDataServers().data;
  const site = useSite().data;
  return useMemo(() => {
    const systemServers = new Set(site?.systemDataServers?.map(({ dataServerId }) => dataServerId));
    return (alarm) => {
      const stationId = alarm.stationId ?? servers?.get(alarm.dataServerId)?.stationId;
      const system = alarm.system ?? systemServers.has(alarm.dataServerId);
      return { stationId, system, station: stations?.get(stationId ?? 0)?.name ?? '' };
    };
  }, [stations, servers, site]);
}

const lookUpMs = 10_000;
const mostLookUpMs = 640_000;

/**
 * A data server that was made after the names were read is looked up; until then its alarms match every station. One that
 * this user may not see stays unknown: it is looked up ever more seldom.
 */
function useUnknownServers(alarms: ReadonlyMap<number, Alarm>): void {
  const { data: servers, refetch: readServers } = useDataServers();
  const { refetch: readStations } = useStations();
  const { refetch: readSite } = useSite();
  const used = new Set(Array.from(alarms.values(), ({ dataServerId }) => dataServerId));
  const unknown = servers === undefined ? '' : [...used.difference(new Set(servers.keys()))].toSorted().join();
  useEffect(() => {
    if (unknown === '') return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const lookUp = (pauseMs: number): void => {
      for (const read of [readServers, readStations, readSite]) void read();
      timer = setTimeout(() => lookUp(Math.min(pauseMs * 2, mostLookUpMs)), pauseMs);
    };
    lookUp(lookUpMs);
    return () => clearTimeout(timer);
  }, [unknown, readServers, readStations, readSite]);
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
