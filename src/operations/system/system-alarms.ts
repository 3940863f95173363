// Alarms that Tocsin raises about itself and its environment; each stays one alarm until it is acknowledged.

import type { Operation } from '../../store/store.ts';
import { endOpenSystemAlarm } from '../alarms/intake/end-open-system-alarm.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';

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

/** Raised while connections can still be accepted: an alarm whose connection is refused is not even noticed. */
export const reportFewDescriptors: Operation<{ readonly open: number; readonly limit: number }, void> = {
  name: 'report-few-descriptors',
  run: (tx, now, { open, limit }) =>
    raiseSystemAlarm(tx, now, {
      path: 'few-descriptors',
      priority: 2,
      message: `${open} of ${limit} file descriptors are in use. When none is free no client can connect any more: find out who keeps so many connections open, or raise the limit (ulimit -n).`,
      isCalled: true,
    }),
};

/** Raised because consoles show an old state and telephones ring on: the alarms themselves are stored, and people called. */
export const reportEventsDelayed: Operation<{ readonly nodeName: string; readonly seconds: number }, void> = {
  name: 'report-events-delayed',
  run: (tx, now, { nodeName, seconds }) =>
    raiseSystemAlarm(tx, now, {
      path: delayedPath(nodeName),
      priority: 2,
      isLasting: true,
      message: `On the node ${nodeName} changes of the last ${seconds} s are stored but not pushed: consoles show an old state, and an acknowledgement stops no telephone there. Look at its connection to the database.`,
      isCalled: true,
    }),
};

export const endEventsDelayed: Operation<{ readonly nodeName: string }, void> = {
  name: 'end-events-delayed',
  run: (tx, now, { nodeName }) => endOpenSystemAlarm(tx, now, delayedPath(nodeName), 'end-calls'),
};

function delayedPath(nodeName: string): string {
  return `events-delayed/${nodeName}`;
}

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
