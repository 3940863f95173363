// All kinds of providers. Pure.

import type { ProviderKind } from './kind.ts';
import { simulatorProviders } from './simulator.ts';
import { sipProviders } from './sip.ts';
import { smtpProviders } from './smtp.ts';
import { webhookProviders } from './webhook.ts';

export const providerKinds: readonly ProviderKind[] = [
  simulatorProviders,
  sipProviders,
  smtpProviders,
  webhookProviders,
];

export function kindNamed(name: string): ProviderKind | undefined {
  return providerKinds.find((kind) => kind.name === name);
}
