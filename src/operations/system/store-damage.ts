// The system alarm that the database is damaged, over when a check of all of it finds nothing.

import type { Operation } from '../../store/store.ts';
import { endOpenSystemAlarm } from '../alarms/intake/end-open-system-alarm.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';

const path = 'store-damaged';

export const noteStoreCheck: Operation<{ readonly problem: string | undefined }, void> = {
  name: 'note-store-check',
  async run(tx, now, { problem }) {
    if (problem === undefined) return endOpenSystemAlarm(tx, now, path, 'end-calls');
    await raiseSystemAlarm(tx, now, {
      path,
      priority: 1,
      message: { code: 'store-damaged', parameters: {} },
      isCalled: true,
    });
  },
};
