// The call configuration: people snapshot, policy, scenarios and scripts as of a transaction, cached in memory by
// version.

import type { ScenarioIndex } from '../../domain/alarms/scenario-actions.ts';
import {
  type CallingMeans,
  type CallPolicy,
  defaultPolicy,
  noRules,
  type PolicySettings,
} from '../../domain/calls/call.ts';
import { plainWording } from '../../domain/calls/words/wording.ts';
import { channelsUp } from '../../domain/channels/choose-provider.ts';
import type { Provider } from '../../domain/channels/provider.ts';
import { noTollLimits } from '../../domain/channels/toll-limits.ts';
import type { PeopleSnapshot } from '../../domain/people/call-group.ts';
import type { Scripts } from '../../domain/script.ts';
import { statement } from '../../store/statement.ts';
import type { ReadTx } from '../../store/store.ts';
import { directoryVersionKey } from '../people/version.ts';
import { readDirectory } from './directory.ts';

export type CallConfiguration = {
  readonly snapshot: PeopleSnapshot;
  readonly policy: CallPolicy;
  /** When the policy was last changed; 0 before the first server has started. */
  readonly policyChangedAt: number;
  readonly scenarios: ScenarioIndex;
  readonly providers: readonly Provider[];
  /** Undefined if scripts are switched off. */
  readonly scripts: Scripts | undefined;
};

/** JSON of `StoredPolicy`, which the resource `callpolicy` shows. Older versions had another row, `call_policy`. */
export const policyKey = 'calling_policy';
/** JSON of `CallingMeans`, apart from the policy because each start sets it. */
export const meansKey = 'calling_means';
/** A JSON list of ids and patterns; missing if scripts are switched off. */
export const scriptsKey = 'command_scripts';

const selectVersions = statement((db) =>
  db
    .selectFrom('meta')
    .select(['key', 'value'])
    .where('key', 'in', ['epoch', directoryVersionKey, policyKey, meansKey, scriptsKey])
    .orderBy('key'),
);

export type StoredPolicy = PolicySettings & { readonly lastChange: number };

/**
 * Returns the fields of the policy alone. JSON leaves out what is undefined, so a missing cap is none; rules that an earlier
 * version stored lack the newer ones.
 */
export function settingsOf(settings: PolicySettings): PolicySettings {
  const { priorities, callAgain, cap, tolls, lastResortGroupId, wording, tellsHandOvers = false } = settings;
  return {
    priorities: priorities.map((rules) => ({ ...noRules, ...rules })),
    callAgain,
    cap,
    tolls: { ...noTollLimits, ...tolls },
    lastResortGroupId,
    wording: { ...plainWording, ...wording },
    tellsHandOvers,
  };
}

export function meansOf({ hasSimulator, timeZone }: CallingMeans): CallingMeans {
  return { hasSimulator, timeZone };
}

/** The configuration read last. The key contains the epoch, so several databases in one process do not mix. */
let cached: { readonly versions: string; readonly configuration: CallConfiguration } | undefined;

/** Costs one small read if nothing has changed. Version numbers are never reused, not even after a rollback. */
export async function readCallConfiguration(tx: ReadTx): Promise<CallConfiguration> {
  const rows = await tx.all(selectVersions, {});
  const versions = JSON.stringify(rows);
  if (cached?.versions === versions) return cached.configuration;
  const textOf = (name: string): string | undefined => rows.find(({ key }) => key === name)?.value;
  const [policy, means, scripts] = [textOf(policyKey), textOf(meansKey), textOf(scriptsKey)];
  const stored = policy === undefined ? undefined : (JSON.parse(policy) as StoredPolicy);
  const { snapshot, scenarios, providers } = await readDirectory(
    tx,
    textOf('epoch') ?? '',
    Number(textOf(directoryVersionKey) ?? 0),
  );
  const given = meansOf(means === undefined ? defaultPolicy : (JSON.parse(means) as CallingMeans));
  const configuration = {
    snapshot,
    scenarios,
    policy: {
      ...settingsOf(stored ?? defaultPolicy),
      ...given,
      channels: channelsUp(providers, given.hasSimulator),
    },
    providers,
    policyChangedAt: stored?.lastChange ?? 0,
    scripts: scripts === undefined ? undefined : scriptsOf(scripts),
  };
  cached = { versions, configuration };
  return configuration;
}

function scriptsOf(text: string): Scripts {
  const entries = JSON.parse(text) as readonly (readonly [id: number, pattern: string | null])[];
  return new Map(entries.map(([id, pattern]) => [id, pattern ?? undefined]));
}
