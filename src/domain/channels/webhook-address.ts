// The addresses of webhooks: which URL may be stored for a person and requested. Pure.

import { isAddress, isPrivateAddress } from './private-address.ts';

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

export const privateAddressProblem = 'is an address of a private network';
/** How a provider of webhooks may request such an address. */
export const allowedByPrivate = 'the provider allows it with allowPrivate';

/**
 * Returns in words why the URL is not requested, undefined if it may be. The addresses of a name are known only when it is
 * requested, and are judged then.
 */
export function webhookAddressProblem(address: string, limits: WebhookLimits): string | undefined {
  if (address.length > longestUrl) return `a URL has at most ${longestUrl} characters`;
  if (!URL.canParse(address)) return 'must be a URL such as https://example.org/hook';
  const { protocol, hostname, port, username, password, hash } = new URL(address);
  if (protocol === 'http:' && !limits.allowHttp)
    return 'must begin with https://: plain HTTP is not allowed, unless the provider has allowHttp';
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https://';
  if (username !== '' || password !== '') return 'must not contain a name or password';
  if (hash !== '') return 'must not contain a fragment (#)';
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isAddress(host) && !limits.allowPrivate && isPrivateAddress(host))
    return `${privateAddressProblem}: ${allowedByPrivate}`;
  if (limits.hosts.length > 0 && !limits.hosts.includes(host))
    return 'is on a host that the provider does not allow: its setting hosts names others';
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  if (![443, 8443, ...limits.ports, ...(limits.allowHttp ? [80] : [])].includes(number))
    return `has the port ${number}: the provider allows it with ports`;
  return undefined;
}
