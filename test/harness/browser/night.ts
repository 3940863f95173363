// A night of an alarm for the console: Ana declines, Bo takes it on the second call, Cem is off duty; the alarm is raised again.

import { until } from '../until.ts';
import type { Plant } from './plant.ts';

type Phone = readonly { readonly state: string }[];
type Entries = { readonly items: readonly { readonly id: number }[] };

export type Night = {
  readonly text: string;
  readonly alarmId: number;
  /** The occurrences of the alarm. */
  readonly first: number;
  readonly second: number;
  /** Those to Ana and Bo in the first occurrence. */
  readonly attempts: readonly number[];
};

const text = 'P-101 drive-end bearing over temperature';

export async function nightOf(plant: Plant): Promise<Night> {
  const person = (name: string, number: string, more: object = {}) => {
    const numbers = [{ channel: 'simulator', address: number }];
    const firstName = name.replace(/^./, (letter) => letter.toUpperCase());
    return plant.call<number>('POST', 'users', { name, firstName, numbers, ...more });
  };
  const ana = await person('ana', '+33123450001');
  const bo = await person('bo', '+33123450002');
  const cem = await person('cem', '+33123450003', { onDuty: false });
  const members = [ana, bo, cem].map((userId) => ({ userId }));
  const teamId = await plant.call<number>('POST', 'teams', { name: 'Night', members });
  const callMode = 'turn';
  const group = await plant.call<number>('POST', 'callgroups', { name: 'Pumps', teamIds: [teamId], callMode });
  const alarm = { path: 'Intake/P-101/Bearing', alarmMessage: text, priority: 1 };
  const alarmActions = [{ type: 'CallGroup', id: group }];
  const alarmId = await plant.call<number>('POST', 'alarms', { ...alarm, alarmActions });
  await answer(plant, ana, ['1', '3']);
  await answer(plant, bo, ['1', '1']);
  await plant.call('POST', `alarms/${alarmId}/comments`, { comment: 'oil topped up' });
  await plant.call('POST', 'alarms', { path: alarm.path, raised: false });
  await plant.call('POST', 'alarms', { path: alarm.path, raised: true });
  const [one, two] = (await plant.call<Entries>('GET', `alarms/histories?alarmId=${alarmId}`)).items;
  const first = one?.id ?? 0;
  const { items } = await plant.call<Entries>('GET', `call/histories?occurrenceId=${first}`);
  return { text, alarmId, first, second: two?.id ?? 0, attempts: items.map(({ id }) => id) };
}

/** Answers the phone of a user as soon as it rings, and presses keys. */
async function answer(plant: Plant, userId: number, keys: readonly string[]): Promise<void> {
  const phone = `simulator/phones/${userId}`;
  await until(
    () => plant.call<Phone>('GET', phone),
    (messages) => messages.some(({ state }) => state === 'ringing'),
  );
  await plant.call('POST', `${phone}/answer`);
  for (const key of keys) await plant.call('POST', `${phone}/keys`, { keys: key });
}
