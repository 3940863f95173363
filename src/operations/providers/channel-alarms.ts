// The system alarms about channels by which nobody can be reached, over when a provider of the channel works again, and about numbers that
// no provider serves.

import { sql } from 'kysely';
import type { Unserved } from '../../domain/calls/delivery.ts';
import { channelsWorking } from '../../domain/channels/choose-provider.ts';
import { sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Operation, Query } from '../../store/store.ts';
import { endOpenSystemAlarm } from '../alarms/intake/end-open-system-alarm.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { goneNodes } from '../system/node-queries.ts';
import { saidBy } from './provider-alarms.ts';
import { loadHealth } from './provider-rows.ts';

const pathPrefix = 'channel/';

/** `reason`: the stored one of a provider. */
export const reportChannelDown: Operation<{ readonly channel: string; readonly reason: string }, void> = {
  name: 'report-channel-down',
  run: (tx, now, { channel, reason }) =>
    raiseSystemAlarm(tx, now, {
      path: `${pathPrefix}${channel}`,
      priority: 2,
      message: { code: 'channel-down', parameters: { channel, ...saidBy(reason) } },
      isCalled: true,
    }),
};

/** Where it is the number that is not served, others can be reached by the channel, so that this is over with the attempt. */
export const reportNoWay: Operation<{ readonly channel: string; readonly why: Unserved }, void> = {
  name: 'report-no-way',
  run: (tx, now, { channel, why }) =>
    raiseSystemAlarm(tx, now, {
      path: why === 'not-served' ? `not-served/${channel}` : `${pathPrefix}${channel}`,
      priority: 2,
      message: { code: 'no-way', parameters: { channel, why } },
      isCalled: true,
    }),
};

/** Returns the channels with an open alarm that have a provider which works. */
export const listChannelsBack: Query<{ readonly now: Instant }, readonly string[]> = {
  name: 'list-channels-back',
  isQuick: true,
  async run(tx, { now }) {
    const down = (await tx.all(selectOpen, {})).map(({ path }) => path.slice(`system/${pathPrefix}`.length));
    if (down.length === 0) return [];
    const { policy, providers } = await readCallConfiguration(tx);
    const gone = await goneNodes(tx, providers, now);
    const working = channelsWorking(providers, await loadHealth(tx), policy.hasSimulator, gone);
    return working === 'all' ? down : down.filter((channel) => working.includes(channel));
  },
};

export const endChannelDown: Operation<{ readonly channel: string }, void> = {
  name: 'end-channel-down',
  run: (tx, now, { channel }) => endOpenSystemAlarm(tx, now, `${pathPrefix}${channel}`, 'end-calls'),
};

const selectOpen = sqlStatement<Record<string, never>, { path: string }>(
  () => sql`select alarms.path from ${table('data_servers')}
    join ${table('alarms')} on alarms.data_server_id = data_servers.id
    where data_servers.is_system = 1 and alarms.path like ${sql.lit(`system/${pathPrefix}%`)} and alarms.state in (1, 3)`,
);
