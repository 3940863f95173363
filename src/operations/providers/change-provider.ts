// Creates, replaces and removes providers. Secrets come encrypted, and neither the journal nor an event contains them.

import type { Caller } from '../../domain/access/access.ts';
import { changedFields } from '../../domain/audit/entry.ts';
import { kindNamed } from '../../domain/channels/kinds/catalogue.ts';
import { misdirectedSecrets, type ProviderKind, problemsOf } from '../../domain/channels/kinds/kind.ts';
import type { Provider, StoredProvider } from '../../domain/channels/provider.ts';
import { searchableText } from '../../domain/search.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { appendAudit } from '../audit/append.ts';
import { type IfMatch, refuseOtherVersion } from '../entity-tag.ts';
import { keyed } from '../keyed-operation.ts';
import { refuseFields } from '../people/refusals.ts';
import { incrementPeopleVersion } from '../people/version.ts';
import { endProviderAlarms } from './provider-alarms.ts';
import {
  deleteHealth,
  deleteProvider,
  insertProvider,
  loadProviders,
  type NewProviderRow,
  selectProvider,
  setSecrets,
  updateProvider,
} from './provider-rows.ts';
import { findProvider } from './queries.ts';

type ProviderFields = Omit<Provider, 'id'>;

/** By name, encrypted; null removes a secret, and those that are not named stay. */
export type NewSecrets = Readonly<Record<string, string | null>>;

type NewProvider = { readonly caller: Caller; readonly fields: ProviderFields; readonly secrets: NewSecrets };

export const createProvider: Operation<NewProvider, number> = {
  name: 'create-provider',
  async run(tx, now, { caller, fields, secrets }) {
    await refuseWrong(tx, fields, secrets, undefined);
    const id = await tx.insert(insertProvider, rowOf(fields, mergeSecrets('{}', secrets), now));
    await record(tx, now, caller, id, 'created', undefined);
    return id;
  },
};

export const createProviderOnce = keyed(createProvider);

type ReplacedProvider = NewProvider & { readonly id: number; readonly ifMatch: IfMatch };

/** Returns the provider as stored. */
export const replaceProvider: Operation<ReplacedProvider, StoredProvider> = {
  name: 'replace-provider',
  async run(tx, now, { caller, id, fields, secrets, ifMatch }) {
    const before = await existing(tx, id);
    refuseOtherVersion(before, ifMatch);
    await refuseWrong(tx, fields, secrets, before);
    const stored = (await tx.one(selectProvider, { id }))?.secrets ?? '{}';
    await tx.run(updateProvider, { id, ...rowOf(fields, mergeSecrets(stored, secrets), now) });
    await endObsoleteAlarms(tx, now, id, fields);
    await record(tx, now, caller, id, 'changed', before);
    return existing(tx, id);
  },
};

type RemovedProvider = { readonly caller: Caller; readonly id: number; readonly ifMatch: IfMatch };

export const removeProvider: Operation<RemovedProvider, void> = {
  name: 'remove-provider',
  async run(tx, now, { caller, id, ifMatch }) {
    const before = await existing(tx, id);
    refuseOtherVersion(before, ifMatch);
    await endProviderAlarms(tx, now, id);
    await tx.run(deleteProvider, { id });
    await record(tx, now, caller, id, 'removed', before);
  },
};

type Reencrypted = { readonly id: number; readonly before: string; readonly secrets: string };

/** Stores secrets that were encrypted again with another key, unless they have changed meanwhile. */
export const replaceSecrets: Operation<Reencrypted, void> = {
  name: 'replace-provider-secrets',
  async run(tx, _now, { id, before, secrets }) {
    const row = await tx.one(selectProvider, { id });
    if (row?.secrets === before) await tx.run(setSecrets, { id, secrets });
  },
};

async function existing(tx: Tx, id: number): Promise<StoredProvider> {
  const found = await findProvider(tx, id);
  if (found === undefined) throw new AppError('not-found', `There is no provider ${id}.`);
  return found;
}

async function refuseWrong(
  tx: Tx,
  fields: ProviderFields,
  secrets: NewSecrets,
  before: StoredProvider | undefined,
): Promise<void> {
  const kind = kindNamed(fields.kind);
  if (kind === undefined) return refuseFields([{ field: 'kind', message: `"${fields.kind}" is no kind of provider` }]);
  const namesake = (await loadProviders(tx)).find(({ name, id }) => name === fields.name && id !== before?.id);
  const { channels } = kind;
  refuseFields([
    ...(before !== undefined && before.kind !== fields.kind ? [{ field: 'kind', message: 'cannot be changed' }] : []),
    ...(namesake === undefined ? [] : [{ field: 'name', message: `is the name of provider ${namesake.id} already` }]),
    ...(channels === undefined || channels.includes(fields.channel)
      ? []
      : [{ field: 'channel', message: `must be ${channels.join(' or ')} for this kind` }]),
    ...problemsOf(kind, fields.settings).map(({ field, message }) => ({ field: `settings.${field}`, message })),
    ...(before === undefined ? [] : misdirectedSecrets(kind, before, fields, secrets)).map((name) => ({
      field: `secrets.${name}`,
      message: 'must be given again, because the host that it is sent to is another one',
    })),
    ...missingSecrets(kind, secrets, before).map((name) => ({ field: `secrets.${name}`, message: 'is missing' })),
  ]);
}

/** A provider that is switched off has no health; whether one with other settings still refuses messages will be seen. */
async function endObsoleteAlarms(tx: Tx, now: Instant, id: number, fields: ProviderFields): Promise<void> {
  if (!fields.isEnabled) {
    await tx.run(deleteHealth, { id });
    return endProviderAlarms(tx, now, id);
  }
  const isHeld = kindNamed(fields.kind)?.isHeld(fields.settings) === true;
  await endProviderAlarms(tx, now, id, isHeld ? ['refused'] : ['refused', 'mailbox']);
}

/** Returns the names of secrets that the provider needs and would not have. */
function missingSecrets(
  { neededSecrets = [] }: ProviderKind,
  given: NewSecrets,
  before: StoredProvider | undefined,
): readonly string[] {
  const isStored = (name: string): boolean => before?.secrets.includes(name) === true && given[name] === undefined;
  return neededSecrets.filter((name) => typeof given[name] !== 'string' && !isStored(name));
}

function mergeSecrets(stored: string, given: NewSecrets): string {
  const merged = { ...(JSON.parse(stored) as Record<string, string>), ...given };
  return JSON.stringify(Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)));
}

function rowOf(fields: ProviderFields, secrets: string, now: Instant): NewProviderRow {
  return {
    name: fields.name,
    words: searchableText(fields.name),
    channel: fields.channel,
    kind: fields.kind,
    place: fields.order,
    isEnabled: fields.isEnabled ? 1 : 0,
    lines: fields.lines ?? null,
    perSecond: fields.perSecond ?? null,
    perDay: fields.perDay ?? null,
    costMicros: Math.round(fields.cost * 1e6),
    countries: JSON.stringify(fields.countries),
    node: fields.node ?? null,
    settings: JSON.stringify(fields.settings),
    secrets,
    now,
  };
}

/** The next decision on any node counts with the change, and calls that wait for a way out are tried again. */
async function record(
  tx: Tx,
  now: Instant,
  caller: Caller,
  id: number,
  verb: 'created' | 'changed' | 'removed',
  before: StoredProvider | undefined,
): Promise<void> {
  await incrementPeopleVersion(tx, 'provider', id);
  const after = await findProvider(tx, id);
  const kind = `provider.${verb}` as const;
  const name = (after ?? before)?.name ?? '';
  await appendEvent(tx, now, { kind, actor: caller.actor, subjectId: id, data: { name } });
  const shown = before !== undefined && after !== undefined ? changedFields(before, after) : { before, after };
  await appendAudit(tx, now, { kind, origin: caller, subject: `provider:${id}`, ...shown });
}
