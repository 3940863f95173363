// The addresses of webhooks: which URL may be stored for a person and requested. Pure.

import { isAddress, isPrivateAddress } from './private-address.ts';
import { addressProblemInEnglish } from './words/english.ts';
import type { ProviderReason, WebhookAddressProblem } from './words/provider-reason.ts';

export type WebhookLimits = {
  /** Whether plain HTTP is allowed as well. */
  readonly allowHttp: boolean;
  /** Whether addresses of this machine and its network are allowed. */
  readonly allowPrivate: boolean;
  /** Further ports; 443, 8443 and with plain HTTP 80 are always allowed. */
  readonly ports: readonly number[];
  /** The names of the only hosts that are requested; empty: any. */
  readonly hosts: readonly string[];
};

/** The limits of a provider without settings. */
export const strictLimits: WebhookLimits = { allowHttp: false, allowPrivate: false, ports: [], hosts: [] };

const longestUrl = 2_048;

/** Returns in words why the URL is not requested, undefined if it may be. */
export function webhookAddressProblem(address: string, limits: WebhookLimits): string | undefined {
  const found = webhookAddressReason(address, limits);
  return found && addressProblemInEnglish(found.problem, found.port, found.most);
}

type AddressReason = Extract<ProviderReason, { readonly code: 'webhook-address' }>;

/**
 * Returns why the URL is not requested, undefined if it may be. The addresses of a name are known only when it is requested, and are
 * judged then.
 */
export function webhookAddressReason(address: string, limits: WebhookLimits): AddressReason | undefined {
  const reason = (problem: WebhookAddressProblem, port = 0): AddressReason => {
    return { code: 'webhook-address', problem, port, most: longestUrl };
  };
  if (address.length > longestUrl) return reason('too-long');
  if (!URL.canParse(address)) return reason('no-url');
  const { protocol, hostname, port, username, password, hash } = new URL(address);
  if (protocol === 'http:' && !limits.allowHttp) return reason('plain-http');
  if (protocol !== 'https:' && protocol !== 'http:') return reason('scheme');
  if (username !== '' || password !== '') return reason('credentials');
  if (hash !== '') return reason('fragment');
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isAddress(host) && !limits.allowPrivate && isPrivateAddress(host)) return reason('private');
  if (limits.hosts.length > 0 && !limits.hosts.includes(host)) return reason('host');
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  const isAllowed = [443, 8443, ...limits.ports, ...(limits.allowHttp ? [80] : [])].includes(number);
  return isAllowed ? undefined : reason('port', number);
}
