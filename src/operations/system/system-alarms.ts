// Alarms that Tocsin raises about itself and its environment; each stays one alarm until it is acknowledged.

import type { Operation } from '../../store/store.ts';
import { raiseSystemAlarm } from '../alarms/report.ts';

/** Raised while the disk still has room to store the alarm. */
export const reportDiskLow: Operation<{ readonly percent: number }, void> = {
  name: 'report-disk-low',
  run: (tx, now, { percent }) =>
    raiseSystemAlarm(tx, now, {
      path: 'disk-low',
      priority: 2,
      message: `The disk that holds the data is ${percent} % full. When it is full no alarm can be taken any more: make room.`,
      isCalled: true,
    }),
};

export const reportChannelDown: Operation<{ readonly channel: string; readonly reason: string }, void> = {
  name: 'report-channel-down',
  run: (tx, now, { channel, reason }) =>
    raiseSystemAlarm(tx, now, {
      path: `channel/${channel}`,
      priority: 2,
      message: `Nobody can be reached by ${channel}: ${reason}.`,
      isCalled: true,
    }),
};
