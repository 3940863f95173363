// Warns by a system alarm when most of the budget of the day is spent.

import { dayOf, spent } from '../../../domain/channels/toll-limits.ts';
import type { Operation } from '../../../store/store.ts';
import { raiseSystemAlarm } from '../../alarms/intake/report.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { deliveriesSince } from '../inputs/toll-use.ts';

const warnedShare = 0.8;

export const watchBudget: Operation<Record<string, never>, void> = {
  name: 'watch-budget',
  async run(tx, now) {
    const { policy, providers } = await readCallConfiguration(tx);
    const { budgetDay } = policy.tolls;
    if (budgetDay === undefined) return;
    const cost = spent(await deliveriesSince(tx, dayOf(now, policy.timeZone).begin), providers);
    if (cost < budgetDay * warnedShare) return;
    await raiseSystemAlarm(tx, now, {
      path: 'budget',
      priority: 2,
      message: `Calls and messages have cost ${cost.toFixed(2)} of ${budgetDay} today. When the budget is spent, only alarms of priority 1 are called.`,
      isCalled: true,
    });
  },
};
