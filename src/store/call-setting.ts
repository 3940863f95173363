// By what calling is decided: the directory and the policy, as of this transaction, kept in memory while they stay the same.

import { type CallPolicy, defaultPolicy } from '../domain/call.ts';
import type { CallDirectory } from '../domain/call-group.ts';
import type { ScenarioBook } from '../domain/scenario.ts';
import { loadCallDirectory } from './call-directory.ts';
import { loadScenarioBook } from './scenarios.ts';
import { statement } from './statement.ts';
import type { Query, ReadTx } from './store.ts';

export type CallSetting = {
  readonly directory: CallDirectory;
  readonly policy: CallPolicy;
  readonly scenarios: ScenarioBook;
};

export const policyKey = 'call_policy';

const selectMarks = statement((db) =>
  db.selectFrom('meta').selectAll().where('key', 'in', ['epoch', 'directory_version', policyKey]).orderBy('key'),
);

/** The newest setting of a database; several databases in one process are several versions. */
let kept: { readonly marks: string; readonly setting: CallSetting } | undefined;

/** One small read when nothing has changed. Versions are never given twice, not even in a transaction that was undone. */
export async function readCallSetting(tx: ReadTx): Promise<CallSetting> {
  const rows = await tx.all(selectMarks, {});
  const marks = JSON.stringify(rows);
  if (kept?.marks === marks) return kept.setting;
  const policy = rows.find(({ key }) => key === policyKey)?.value;
  const setting = {
    directory: await loadCallDirectory(tx),
    scenarios: await loadScenarioBook(tx),
    policy: policy === undefined ? defaultPolicy : (JSON.parse(policy) as CallPolicy),
  };
  kept = { marks, setting };
  return setting;
}

export const getCallSetting: Query<Record<string, never>, CallSetting> = {
  name: 'get-call-setting',
  run: (tx) => readCallSetting(tx),
};
