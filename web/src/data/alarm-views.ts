// An alarm with what the screens show of it: its station, its hue, its text and the calls for it.

import type { Alarm, OpenCall } from '@tocsin/client';
import { useMemo } from 'react';
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
};

export function useAlarmViews(): readonly AlarmView[] {
  const { alarms, calls } = useLive();
  const place = usePlaceOf();
  return useMemo(() => {
    const callsOf = callsByAlarm(calls.values());
    return Array.from(alarms.values(), (alarm) => viewOf(alarm, place(alarm), callsOf.get(alarm.id) ?? []));
  }, [alarms, calls, place]);
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

function viewOf(alarm: Alarm, { station, stationId, system }: Place, openCalls: readonly OpenCall[]): AlarmView {
  return {
    ...alarm,
    ...(stationId === undefined ? {} : { stationId }),
    system,
    station: system ? 'Tocsin' : station,
    hue: hueOf({ priority: alarm.priority, system }),
    text: alarm.message === '' ? alarm.localizedName : alarm.message,
    raisedAt: Date.parse(alarm.alarmTime),
    openCalls,
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
