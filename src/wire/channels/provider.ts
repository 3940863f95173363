// The JSON of providers.

import { type Static, Type } from 'typebox';
import { providerKinds } from '../../domain/channels/kinds/catalogue.ts';
import type { Provider, ShownProvider } from '../../domain/channels/provider.ts';
import { wordedReason } from '../../domain/channels/words/catalogue.ts';
import type { Language } from '../../domain/language.ts';
import { printInstant, printUtcLocal } from '../date-time.ts';
import { entryName, lastChange } from '../entry.ts';
import { choice, idOf, uint } from '../paging.ts';

const name = entryName('PBX north');
const channel = Type.String({
  pattern: '^[a-z][a-z0-9-]{0,31}$',
  description: 'The channel of the numbers that it serves, such as `voice`.',
  examples: ['voice'],
});
const kind = Type.String({
  maxLength: 32,
  description: `One of ${providerKinds.map((one) => `\`${one.name}\``).join(', ')}. It cannot be changed.`,
  examples: ['simulator'],
});
const order = uint({ description: 'Of the providers of a channel, the lowest is used first.', examples: [0] });
const enabled = { description: 'Whether it is used.' };
const limit = (description: string) =>
  Type.Union([uint({ minimum: 1 }), Type.Null()], { description: `${description}; null: no limit.`, examples: [2] });
const lines = limit('The most deliveries at the same time, over all nodes');
const perSecond = limit('The most deliveries begun within a second, over all nodes');
const perDay = limit('The most deliveries a day, in the time zone of the server, except of priority 1');
const cost = Type.Number({
  minimum: 0,
  maximum: 1_000_000,
  description: 'The cost of one delivery, in the currency of the budget of a day in the call policy.',
  examples: [0.05],
});
const countries = Type.Array(Type.String({ pattern: '^\\+[0-9]{1,8}$' }), {
  maxItems: 300,
  description: 'The prefixes of the telephone numbers that it serves; empty: all.',
  examples: [[]],
});
const node = Type.Union([Type.String({ maxLength: 128 }), Type.Null()], {
  description: 'The name of the only node that may use it; null or blank: any.',
  examples: [null],
});
const settings = Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
  maxProperties: 100,
  description: 'What its kind needs; see docs/channels.md.',
  examples: [{}],
});

const health = Type.Object(
  {
    state: choice([
      ['unknown', 'neither used nor checked yet'],
      ['up', 'it works'],
      ['down', 'it failed, and is left out until it works again'],
    ]),
    since: Type.Union([Type.String({ description: 'Since when.' }), Type.Null()]),
    reason: Type.String({ description: 'Why it is down, in the language of `Accept-Language`.' }),
    inUse: uint({ description: 'Deliveries under way, on all nodes.' }),
    heldBy: Type.Union([Type.String(), Type.Null()], {
      description: 'The node that holds its registration or mailbox; null: none.',
    }),
  },
  { title: 'ProviderHealth', description: 'The state of a provider now.' },
);

export const providerSchema = Type.Object(
  {
    id: idOf('provider'),
    name,
    channel,
    kind,
    order,
    enabled: Type.Boolean(enabled),
    lines,
    perSecond,
    perDay,
    cost,
    countries,
    node,
    settings,
    secrets: Type.Array(Type.String(), { description: 'The names of the secrets that are set; nobody can read them.' }),
    health,
    lastChange,
  },
  { title: 'Provider', description: 'A configured way out, such as a SIP trunk or a mail server.' },
);

export const providerBody = Type.Object(
  {
    name,
    channel,
    kind,
    order: Type.Optional(order),
    enabled: Type.Optional(Type.Boolean({ ...enabled, default: true })),
    lines: Type.Optional(lines),
    perSecond: Type.Optional(perSecond),
    perDay: Type.Optional(perDay),
    cost: Type.Optional(cost),
    countries: Type.Optional(countries),
    node: Type.Optional(node),
    settings: Type.Optional(settings),
    secrets: Type.Optional(
      Type.Record(Type.String({ maxLength: 64 }), Type.Union([Type.String({ maxLength: 4_096 }), Type.Null()]), {
        maxProperties: 100,
        description: 'Written and never read: one that is not named stays as it is, null removes it.',
        examples: [{}],
      }),
    ),
  },
  {
    title: 'ProviderBody',
    description: 'A configured way out.',
    examples: [{ name: 'Second simulator', channel: 'voice', kind: 'simulator', settings: { fault: 'busy' } }],
  },
);

export function readProvider(body: Static<typeof providerBody>): Omit<Provider, 'id'> {
  return {
    name: body.name,
    channel: body.channel,
    kind: body.kind,
    order: body.order ?? 0,
    isEnabled: body.enabled ?? true,
    lines: body.lines ?? undefined,
    perSecond: body.perSecond ?? undefined,
    perDay: body.perDay ?? undefined,
    cost: body.cost ?? 0,
    countries: body.countries ?? [],
    node: body.node?.trim() || undefined,
    settings: body.settings ?? {},
  };
}

export function printProvider(
  { provider, health, inUse, heldBy }: ShownProvider,
  timeZone: string,
  language: Language,
): Static<typeof providerSchema> {
  return {
    id: provider.id,
    name: provider.name,
    channel: provider.channel,
    kind: provider.kind,
    order: provider.order,
    enabled: provider.isEnabled,
    lines: provider.lines ?? null,
    perSecond: provider.perSecond ?? null,
    perDay: provider.perDay ?? null,
    cost: provider.cost,
    countries: [...provider.countries],
    node: provider.node ?? null,
    settings: { ...provider.settings },
    secrets: [...provider.secrets],
    health: {
      state: health.state,
      since: health.state === 'unknown' ? null : printInstant(health.since, timeZone),
      reason: wordedReason(language, health.reason),
      inUse,
      heldBy: heldBy ?? null,
    },
    lastChange: printUtcLocal(provider.lastChange),
  };
}
