// Webhooks: each message is posted as signed JSON to the URL of the person. Pure.

import { listSetting, numberSetting, optional, type SettingValues, textSetting, yesOrNo } from '../settings.ts';
import type { ProviderKind } from './kind.ts';

const fields = {
  allowPrivate: optional(yesOrNo, false),
  allowHttp: optional(yesOrNo, false),
  ports: optional(listSetting(numberSetting(1, 65_535), 20), []),
  hosts: optional(listSetting(textSetting(/^[a-z0-9.:-]{1,253}$/, 'names of hosts in small letters'), 100), []),
};

/** A secret that can be guessed signs nothing. */
export const shortestSecret = 16;

export type WebhookSettings = SettingValues<typeof fields>;

export const webhookProviders = {
  name: 'webhook',
  channels: ['webhook'],
  capabilities: { isSpoken: false, mostCharacters: undefined, hasReceipts: true, takesReplies: true, isRoom: false },
  fields,
  secrets: ['secret', 'oldSecret'],
  neededSecrets: ['secret'],
  shortestSecret,
  isHeld: () => false,
} as const satisfies ProviderKind;
