// The call policy: seeded by the first server, read and replaced through the interface; and what a process can do.

import { type Caller, systemCaller } from '../../../domain/access/access.ts';
import { changedFields } from '../../../domain/audit/entry.ts';
import type { CallingMeans, PolicySettings } from '../../../domain/calls/call.ts';
import { staffOf } from '../../../domain/calls/people-in-reach.ts';
import { isOutsideCountries } from '../../../domain/calls/usable-numbers.ts';
import { foreignId, visibilityOf } from '../../../domain/people/visibility.ts';
import { AppError } from '../../../errors.ts';
import { appendEvent } from '../../../store/event-log.ts';
import { setMeta } from '../../../store/meta.ts';
import { statement } from '../../../store/statement.ts';
import type { Instant, Operation, Query, ReadTx, Tx } from '../../../store/store.ts';
import { appendAudit } from '../../audit/append.ts';
import {
  meansKey,
  meansOf,
  policyKey,
  readCallConfiguration,
  type StoredPolicy,
  settingsOf,
} from '../../configuration/call-configuration.ts';
import { entityTagOf, type IfMatch, refuseOtherVersion } from '../../entity-tag.ts';

const selectText = statement((db, args: { key: string }) =>
  db.selectFrom('meta').select('value').where('key', '=', args.key),
);

/** Stores the policy if there is none yet, so that all nodes decide by the same one; returns the one that counts. */
export const seedCallPolicy: Operation<PolicySettings, PolicySettings> = {
  name: 'seed-call-policy',
  async run(tx, now, given) {
    if ((await tx.one(selectText, { key: policyKey })) !== undefined)
      return settingsOf((await readCallConfiguration(tx)).policy);
    const settings = settingsOf(given);
    await storePolicy(tx, now, settings);
    await appendAudit(tx, now, { kind: 'callPolicy.changed', origin: systemCaller, after: settings });
    return settings;
  },
};

/** Stores what this version of the process can do; the node that started last counts. */
export const setCallingMeans: Operation<CallingMeans, void> = {
  name: 'set-calling-means',
  async run(tx, now, given) {
    const before = (await tx.one(selectText, { key: meansKey }))?.value;
    const means = meansOf(given);
    const after = JSON.stringify(means);
    if (after === before) return;
    await setMeta(tx, meansKey, after);
    const change = before === undefined ? { after: means } : changedFields(JSON.parse(before), means);
    await appendAudit(tx, now, { kind: 'callingMeans.changed', origin: systemCaller, ...change });
  },
};

export type TaggedPolicy = {
  readonly policy: StoredPolicy;
  readonly tag: string;
  /** The people among those the caller sees whom the list of countries leaves to priority 1. */
  readonly outside: readonly { readonly id: number; readonly name: string }[];
};

/** Returns the policy as the caller sees it: a last resort of another station has the id 0. */
export const getCallPolicy: Query<{ readonly caller: Pick<Caller, 'stationIds'> }, TaggedPolicy> = {
  name: 'get-call-policy',
  run: (tx, { caller }) => shownPolicy(tx, caller),
};

async function shownPolicy(tx: ReadTx, caller: Pick<Caller, 'stationIds'>): Promise<TaggedPolicy> {
  const { policy, policyChangedAt, snapshot } = await readCallConfiguration(tx);
  const { lastResortGroupId } = policy;
  const visibility = visibilityOf(caller, snapshot);
  const isHidden = lastResortGroupId !== undefined && !visibility.seesGroup(lastResortGroupId);
  const shown = {
    ...settingsOf(policy),
    lastResortGroupId: isHidden ? foreignId : lastResortGroupId,
    lastChange: policyChangedAt,
  };
  const outside = [...snapshot.people.values()]
    .filter((person) => visibility.seesPerson(person.id) && isOutsideCountries(person, { policy }))
    .map(({ id, name }) => ({ id, name }));
  return { policy: shown, tag: entityTagOf(shown), outside };
}

/** Returns the name of the installation; empty if it has none. */
export const getSiteName: Query<Record<string, never>, string> = {
  name: 'get-site-name',
  isQuick: true,
  run: async (tx) => (await readCallConfiguration(tx)).policy.wording.siteName,
};

type NewPolicy = { readonly caller: Caller; readonly settings: PolicySettings; readonly ifMatch: IfMatch };

/** Replaces the policy; the next decision on any node goes by the new one. */
export const replaceCallPolicy: Operation<NewPolicy, TaggedPolicy> = {
  name: 'replace-call-policy',
  async run(tx, now, { caller, settings, ifMatch }) {
    const { policy: before } = await shownPolicy(tx, caller);
    refuseOtherVersion(before, ifMatch);
    await refuseUnstaffedLastResort(tx, settings);
    await storePolicy(tx, now, settings);
    // A priority may repeat now whose alarms were called in vain.
    await tx.run(decideAgain, {});
    await appendEvent(tx, now, { kind: 'callPolicy.changed', actor: caller.actor });
    const change = changedFields(settingsOf(before), settings);
    await appendAudit(tx, now, { kind: 'callPolicy.changed', origin: caller, ...change });
    return shownPolicy(tx, caller);
  },
};

const decideAgain = statement((db) =>
  db
    .updateTable('call_causes')
    .set((eb) => ({ state: 'open', version: eb('version', '+', 1) }))
    .where('state', '=', 'exhausted'),
);

function storePolicy(tx: Tx, now: Instant, settings: PolicySettings): Promise<void> {
  const stored: StoredPolicy = { ...settings, lastChange: now };
  return setMeta(tx, policyKey, JSON.stringify(stored));
}

async function refuseUnstaffedLastResort(tx: ReadTx, { lastResortGroupId }: PolicySettings): Promise<void> {
  if (lastResortGroupId === undefined) return;
  const { snapshot } = await readCallConfiguration(tx);
  const group = snapshot.groups.get(lastResortGroupId);
  if (group !== undefined && staffOf(group, snapshot).length > 0) return;
  const message =
    group === undefined
      ? `names the call group ${lastResortGroupId}, which does not exist`
      : `names the call group ${lastResortGroupId}, which has nobody to call`;
  throw new AppError('unprocessable', `lastResortGroupId ${message}.`, {
    errors: [{ field: 'lastResortGroupId', message }],
  });
}
