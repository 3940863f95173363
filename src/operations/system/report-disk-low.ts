// The disk is filling up: an alarm of Tocsin's own, while there is still room to write it.

import type { Operation } from '../../store/store.ts';
import { raiseSystemAlarm } from '../alarms/report.ts';

export const tellDiskLow: Operation<{ readonly percent: number }, void> = {
  name: 'tell-disk-low',
  run: (tx, now, { percent }) =>
    raiseSystemAlarm(tx, now, {
      path: 'disk-low',
      priority: 2,
      message: `The disk that holds the data is ${percent} % full. When it is full no alarm can be taken any more: make room.`,
      isCalled: true,
    }),
};
