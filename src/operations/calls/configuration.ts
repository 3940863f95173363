// By what calling and commands are decided: the directory, the policy, the scripts, as of this transaction, kept in memory
// while they stay the same.

import type { ScenarioIndex } from '../../domain/alarms/scenario-actions.ts';
import { type CallPolicy, defaultPolicy } from '../../domain/calls/call.ts';
import type { PeopleSnapshot } from '../../domain/people/call-group.ts';
import type { Scripts } from '../../domain/script.ts';
import { statement } from '../../store/statement.ts';
import type { ReadTx } from '../../store/store.ts';
import { loadScenarioIndex } from '../people/scenario-rows.ts';
import { loadPeopleSnapshot } from '../people/snapshot.ts';

export type CallConfiguration = {
  readonly directory: PeopleSnapshot;
  readonly policy: CallPolicy;
  readonly scenarios: ScenarioIndex;
  /** Undefined when commands are switched off. */
  readonly scripts: Scripts | undefined;
};

export const policyKey = 'call_policy';
/** A JSON list of ids and patterns; not there when commands are switched off. */
export const scriptsKey = 'command_scripts';

const selectMarks = statement((db) =>
  db
    .selectFrom('meta')
    .selectAll()
    .where('key', 'in', ['epoch', 'directory_version', policyKey, scriptsKey])
    .orderBy('key'),
);

/** The newest setting of a database; several databases in one process are several versions. */
let kept: { readonly marks: string; readonly setting: CallConfiguration } | undefined;

/** One small read when nothing has changed. Versions are never given twice, not even in a transaction that was undone. */
export async function readCallConfiguration(tx: ReadTx): Promise<CallConfiguration> {
  const rows = await tx.all(selectMarks, {});
  const marks = JSON.stringify(rows);
  if (kept?.marks === marks) return kept.setting;
  const textOf = (name: string): string | undefined => rows.find(({ key }) => key === name)?.value;
  const [policy, scripts] = [textOf(policyKey), textOf(scriptsKey)];
  const setting = {
    directory: await loadPeopleSnapshot(tx),
    scenarios: await loadScenarioIndex(tx),
    policy: policy === undefined ? defaultPolicy : (JSON.parse(policy) as CallPolicy),
    scripts: scripts === undefined ? undefined : scriptsOf(scripts),
  };
  kept = { marks, setting };
  return setting;
}

function scriptsOf(text: string): Scripts {
  const entries = JSON.parse(text) as readonly (readonly [id: number, pattern: string | null])[];
  return new Map(entries.map(([id, pattern]) => [id, pattern ?? undefined]));
}
