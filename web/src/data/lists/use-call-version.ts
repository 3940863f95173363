// A version of the calls under way for an alarm.

import { useLive } from '../use-live.ts';

/** Changes with every change of the calls for the alarm, so that what is shown of them is read again; empty without a call. */
export function useCallVersion(alarmId: number | undefined): string {
  const { calls } = useLive();
  return [...calls.values()]
    .filter(({ causes }) => causes.some((cause) => cause.alarmId === alarmId))
    .map(({ id, phase, round, people }) => `${id}${phase}${round}${people.map(({ step, attempt }) => step + attempt)}`)
    .join();
}
