// Says when the mailbox of a provider cannot be read: mails still go out, so that nobody would notice.

import type { Operation } from '../../store/store.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';
import { selectProvider } from './provider-rows.ts';

export const reportMailbox: Operation<{ readonly providerId: number; readonly problem: string }, void> = {
  name: 'report-mailbox',
  async run(tx, now, { providerId, problem }) {
    const row = await tx.one(selectProvider, { id: providerId });
    if (row === undefined) return;
    await raiseSystemAlarm(tx, now, {
      path: `provider/${providerId}/mailbox`,
      priority: 2,
      message: `Replies to mails of the provider ${row.name} are not read: ${problem}.`,
      isCalled: true,
    });
  },
};
