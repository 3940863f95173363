// Warns by a system alarm while most of the budget of the day is spent.

import { spent } from '../../../domain/channels/toll-limits.ts';
import type { Operation } from '../../../store/store.ts';
import { endOpenSystemAlarm } from '../../alarms/intake/end-open-system-alarm.ts';
import { raiseSystemAlarm } from '../../alarms/intake/report.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { usedToday } from '../inputs/toll-use.ts';

const warnedShare = 0.8;
const path = 'budget';

export const watchBudget: Operation<Record<string, never>, void> = {
  name: 'watch-budget',
  async run(tx, now) {
    const { policy, providers } = await readCallConfiguration(tx);
    const { budgetDay } = policy.tolls;
    if (budgetDay === undefined) return endOpenSystemAlarm(tx, now, path, 'end-calls');
    const { deliveries } = await usedToday(tx, now, policy.timeZone);
    const cost = spent(deliveries, providers);
    if (cost < budgetDay * warnedShare) return endOpenSystemAlarm(tx, now, path, 'end-calls');
    await raiseSystemAlarm(tx, now, {
      path,
      priority: 2,
      message: { code: 'budget', parameters: { cost: cost.toFixed(2), budgetDay } },
      isCalled: true,
    });
  },
};
