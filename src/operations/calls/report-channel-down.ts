// A way to reach people does not work: an alarm of Tocsin's own, once until somebody has taken note.

import type { Operation } from '../../store/store.ts';
import { raiseSystemAlarm } from '../alarms/report.ts';

export const tellChannelDown: Operation<{ readonly channel: string; readonly reason: string }, void> = {
  name: 'tell-channel-down',
  run: (tx, now, { channel, reason }) =>
    raiseSystemAlarm(tx, now, {
      path: `channel/${channel}`,
      priority: 2,
      message: `Nobody can be reached by ${channel}: ${reason}.`,
      isCalled: true,
    }),
};
