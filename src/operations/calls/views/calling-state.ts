// The state of calling as health reports it: whether the last resort can be reached, and whether it was called in vain.

import { sql } from 'kysely';
import type { CallingState } from '../../../domain/calls/calling-health.ts';
import { isLastResortReachable, isLastResortUnverified } from '../../../domain/calls/last-resort.ts';
import { channelsWorking } from '../../../domain/channels/choose-provider.ts';
import { sqlStatement } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, Query } from '../../../store/store.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { loadHealth } from '../../providers/provider-rows.ts';
import { goneNodes } from '../../system/node-queries.ts';
import { lockedNumbers } from '../inputs/locked-numbers.ts';

const selectUnanswered = sqlStatement<Record<string, never>, { id: number }>(
  () => sql`select calls.id from ${table('calls')} where target_kind = 'last-resort' and failed_at is not null
    and not exists (select 1 from ${table('call_attempts')} where ack_at is not null and ack_at > calls.failed_at)
    and exists (select 1 from ${table('call_causes')} inner join ${table('alarms')} on alarms.id = call_causes.alarm_id
      where call_causes.call_id = calls.id and alarms.state in (2, 3))
    limit 1`,
);

export const getCallingState: Query<{ readonly now: Instant; readonly nodeName: string }, CallingState> = {
  name: 'get-calling-state',
  isQuick: true,
  async run(tx, { now, nodeName }) {
    const configuration = await readCallConfiguration(tx);
    const { snapshot, policy, providers } = configuration;
    const gone = await goneNodes(tx, providers, now, nodeName);
    const channels = channelsWorking(providers, await loadHealth(tx), policy.hasSimulator, gone);
    const context = { snapshot, policy: { ...policy, channels }, lockedNumbers: await lockedNumbers(tx, now) };
    return {
      isSimulated: policy.channels === 'all',
      isLastResortReachable: isLastResortReachable(context, now),
      isLastResortUnverified: isLastResortUnverified(context, now),
      isLastResortUnanswered: (await tx.one(selectUnanswered, {})) !== undefined,
    };
  },
};
