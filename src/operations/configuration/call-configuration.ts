// The call configuration: people snapshot, policy, scenarios and scripts as of a transaction, cached in memory by
// version.

import type { ScenarioIndex } from '../../domain/alarms/scenario-actions.ts';
import { type CallPolicy, defaultPolicy } from '../../domain/calls/call.ts';
import type { PeopleSnapshot } from '../../domain/people/call-group.ts';
import type { Scripts } from '../../domain/script.ts';
import { statement } from '../../store/statement.ts';
import type { ReadTx } from '../../store/store.ts';
import { loadScenarioIndex } from '../people/scenario-rows.ts';
import { loadPeopleSnapshot } from '../people/snapshot.ts';

export type CallConfiguration = {
  readonly snapshot: PeopleSnapshot;
  readonly policy: CallPolicy;
  readonly scenarios: ScenarioIndex;
  /** Undefined if scripts are switched off. */
  readonly scripts: Scripts | undefined;
};

export const policyKey = 'call_policy';
/** A JSON list of ids and patterns; missing if scripts are switched off. */
export const scriptsKey = 'command_scripts';

const selectVersions = statement((db) =>
  db
    .selectFrom('meta')
    .selectAll()
    .where('key', 'in', ['epoch', 'directory_version', policyKey, scriptsKey])
    .orderBy('key'),
);

/** The configuration read last. The key contains the epoch, so several databases in one process do not mix. */
let cached: { readonly versions: string; readonly configuration: CallConfiguration } | undefined;

/** Costs one small read if nothing has changed. Version numbers are never reused, not even after a rollback. */
export async function readCallConfiguration(tx: ReadTx): Promise<CallConfiguration> {
  const rows = await tx.all(selectVersions, {});
  const versions = JSON.stringify(rows);
  if (cached?.versions === versions) return cached.configuration;
  const textOf = (name: string): string | undefined => rows.find(({ key }) => key === name)?.value;
  const [policy, scripts] = [textOf(policyKey), textOf(scriptsKey)];
  const configuration = {
    snapshot: await loadPeopleSnapshot(tx),
    scenarios: await loadScenarioIndex(tx),
    policy: { ...defaultPolicy, ...(policy === undefined ? {} : (JSON.parse(policy) as Partial<CallPolicy>)) },
    scripts: scripts === undefined ? undefined : scriptsOf(scripts),
  };
  cached = { versions, configuration };
  return configuration;
}

function scriptsOf(text: string): Scripts {
  const entries = JSON.parse(text) as readonly (readonly [id: number, pattern: string | null])[];
  return new Map(entries.map(([id, pattern]) => [id, pattern ?? undefined]));
}
