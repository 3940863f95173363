// The alarms that the filters give as a CSV file.

import { csvOf, downloadText } from '../../components/csv.ts';
import type { AlarmView } from '../../data/alarm-views.tsx';
import type { Words } from '../../words/words.ts';
import { byUrgency } from './order/arrange.ts';

export function downloadAlarms(alarms: readonly AlarmView[], columns: Words['alarms']['columns']): void {
  const head = [
    'id',
    'priority',
    'state',
    columns.raised,
    `${columns.raised} UTC`,
    columns.station,
    columns.message,
    columns.tag,
    columns.value,
    columns.calling,
    columns.comment,
  ];
  const rows = alarms
    .toSorted(byUrgency)
    .map((alarm) => [
      alarm.id,
      alarm.priority,
      alarm.masked ? 'masked' : alarm.state,
      alarm.alarmTime,
      new Date(alarm.raisedAt).toISOString(),
      alarm.station,
      alarm.text,
      alarm.path,
      alarm.value,
      alarm.ackUser,
      alarm.comment,
    ]);
  downloadText(`alarms-${new Date().toISOString().slice(0, 16).replaceAll(':', '')}.csv`, csvOf(head, rows));
}
