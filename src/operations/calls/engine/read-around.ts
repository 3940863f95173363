// Reads what decisions depend on besides causes and attempts: the directory, the policy, providers, limits, and the time.

import type { DecisionTime, World } from '../../../domain/escalation/world.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import { type CallConfiguration, readCallConfiguration } from '../../configuration/call-configuration.ts';
import { loadUses } from '../../providers/assign.ts';
import { goneNodes } from '../../system/node-queries.ts';
import { lockEnds } from '../inputs/locked-numbers.ts';
import { readTolls } from '../inputs/toll-use.ts';
import { type EngineTime, readEngineTime } from './engine-time.ts';
import { selectTurns } from './rows/turn-rows.ts';
import { noteUnannounced } from './unannounced-changes.ts';

export type Around = {
  readonly configuration: CallConfiguration;
  readonly world: World;
  readonly time: EngineTime;
  readonly decisionTime: DecisionTime;
};

export async function readAround(tx: ReadTx, now: Instant): Promise<Around> {
  const configuration = await readCallConfiguration(tx);
  const time = await readEngineTime(tx);
  const decisionTime = time.decisionAt(now);
  await noteUnannounced(tx, now, configuration, time, decisionTime);
  return { configuration, world: await readWorld(tx, now, configuration, time), time, decisionTime };
}

async function readWorld(tx: ReadTx, now: Instant, configuration: CallConfiguration, time: EngineTime): Promise<World> {
  const { snapshot, policy, providers } = configuration;
  const uses = await loadUses(tx, now, configuration);
  const inEngineTime = [...uses].map(
    ([id, use]) => [id, { ...use, health: { ...use.health, probeAt: time.ofWait(use.health.probeAt) } }] as const,
  );
  const locks = [...(await lockEnds(tx, now))].map(([id, until]) => [id, time.ofWait(until)] as const);
  const turns = (await tx.all(selectTurns, {})).map(({ group_id, user_id }) => [group_id, user_id] as const);
  return {
    snapshot,
    policy,
    locks: new Map(locks),
    turns: new Map(turns),
    providers: {
      providers,
      uses: new Map(inEngineTime),
      hasSimulator: policy.hasSimulator,
      goneNodes: await goneNodes(tx, providers, now),
    },
    recoveries: recoveriesOf(configuration, uses, time),
    tolls: await readTolls(tx, now, configuration),
  };
}

/** By channel: when one of its providers last began to work. */
function recoveriesOf(
  { providers }: CallConfiguration,
  uses: Awaited<ReturnType<typeof loadUses>>,
  time: EngineTime,
): ReadonlyMap<string, number> {
  const recoveries = new Map<string, number>();
  for (const { id, channel } of providers) {
    const health = uses.get(id)?.health;
    if (health?.state !== 'up') continue;
    const at = time.ofRecord(health.since);
    recoveries.set(channel, Math.max(at, recoveries.get(channel) ?? at));
  }
  return recoveries;
}
