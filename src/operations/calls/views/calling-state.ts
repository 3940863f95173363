// The state of calling as health reports it: whether the last resort can be reached, and whether it was called in vain.

import { sql } from 'kysely';
import type { CallingState } from '../../../domain/calls/calling-health.ts';
import { isLastResortReachable, isLastResortUnverified } from '../../../domain/calls/last-resort.ts';
import { channelsWorking } from '../../../domain/channels/choose-provider.ts';
import { sqlStatement, statement } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, Query } from '../../../store/store.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { loadHealth } from '../../providers/provider-rows.ts';
import { goneNodes } from '../../system/node-queries.ts';
import { readEngineTime } from '../engine/engine-time.ts';
import { lockedNumbers } from '../inputs/locked-numbers.ts';

/** Taking the alarm ends its cause. */
const selectUnanswered = sqlStatement<Record<string, never>, { id: number }>(
  () => sql`select id from ${table('call_causes')} where target_kind = 'last-resort' and ended_at is null
    and state <> 'done' and trouble like '%"in-vain"%' limit 1`,
);

const selectSetAside = statement((db, args: { now: Instant }) =>
  db
    .selectFrom('call_causes')
    .select('id')
    .where('state', '=', sql.lit('open'))
    .where('retry_at', '>', args.now)
    .limit(1),
);

export const getCallingState: Query<{ readonly now: Instant; readonly nodeName: string }, CallingState> = {
  name: 'get-calling-state',
  isQuick: true,
  async run(tx, { now, nodeName }) {
    const configuration = await readCallConfiguration(tx);
    const { snapshot, policy, providers } = configuration;
    const gone = await goneNodes(tx, providers, now, nodeName);
    const channels = channelsWorking(providers, await loadHealth(tx), policy.hasSimulator, gone);
    const time = (await readEngineTime(tx)).decisionAt(now);
    const context = { snapshot, policy: { ...policy, channels }, lockedNumbers: await lockedNumbers(tx, now) };
    return {
      isSimulated: policy.channels === 'all',
      isLastResortReachable: isLastResortReachable(context, time),
      isLastResortUnverified: isLastResortUnverified(context, time),
      isLastResortUnanswered: (await tx.one(selectUnanswered, {})) !== undefined,
      isSetAside: (await tx.one(selectSetAside, { now })) !== undefined,
    };
  },
};
