// Attempts that cannot be made because of a fault in Tocsin: each ends as failed, is named by an alarm, and its escalations go on.

import { storedReason } from '../../../domain/channels/words/provider-reason.ts';
import { setMeta } from '../../../store/meta.ts';
import type { Instant, Operation, Tx } from '../../../store/store.ts';
import { raiseSystemAlarm } from '../../alarms/intake/report.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { setAsidePrefix } from '../../system/set-aside-rows.ts';
import { storeEnds } from '../attempt-ends.ts';
import { selectAttempt } from '../attempts.ts';

const ownFault = storedReason({ code: 'own-fault' });
/** The next try, number or person follows. */
const verdict = { counts: true, isFinal: false, retryAfterMs: undefined } as const;

/** Ends an attempt that cannot be made, or ended, because of a fault in Tocsin, and says so by an alarm. Reads no call. */
export const failAttempt: Operation<{ readonly id: number }, void> = {
  name: 'fail-attempt',
  async run(tx, now, { id }) {
    const row = await tx.one(selectAttempt, { id });
    if (row === undefined || (row.state !== 'due' && row.state !== 'started')) return;
    await storeEnds(tx, now, [{ row, how: { state: 'failed', outcome: 'failed', verdict, detail: ownFault } }]);
    await reportFault(tx, now, row.user_id);
  },
};

/** Says that a call to the person failed because of a fault in Tocsin. */
export async function reportFault(tx: Tx, now: Instant, userId: number): Promise<void> {
  const { snapshot } = await readCallConfiguration(tx);
  await raiseSystemAlarm(tx, now, {
    path: `set-aside/attempts-of/${userId}`,
    priority: 1,
    message: { code: 'attempt-failed', parameters: { userId, name: snapshot.people.get(userId)?.name ?? '' } },
    isCalled: true,
  });
}

/** Longer than until they are tried again. */
const soonMs = 10_000;

/** Says that no attempt at all can be made at present because of a fault in Tocsin; they stay due. The alarm ends when it is not said again. */
export const reportNoAttempts: Operation<Record<string, never>, void> = {
  name: 'report-no-attempts',
  async run(tx, now) {
    const path = `${setAsidePrefix}attempts`;
    await raiseSystemAlarm(tx, now, {
      path,
      priority: 1,
      message: { code: 'no-attempts', parameters: {} },
      isCalled: true,
    });
    await setMeta(tx, path, String(now + soonMs));
  },
};
