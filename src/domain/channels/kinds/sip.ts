// SIP trunks and accounts: telephone calls through a PBX or a carrier. Pure.

import { isAddress } from '../private-address.ts';
import {
  choiceSetting,
  hostSetting,
  listSetting,
  numberSetting,
  optional,
  type SettingProblem,
  type SettingValues,
  textSetting,
  yesOrNo,
} from '../settings.ts';
import type { ProviderKind } from './kind.ts';

/** The characters that can stand before the @ of a SIP address without escapes. */
const userPart = textSetting(/^[A-Za-z0-9_.!~*'()&=+$,;?/-]{1,64}$/, 'a name or number of up to 64 letters and digits');

/** A name whose last part begins with a letter, which no wrong address does. */
const hostName = textSetting(
  /^(?=.{1,253}$)(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.)*[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/,
  'the name or IP address of a host',
);
const publicHost = (given: unknown): string => (isMachineAddress(given) ? given : hostName(given));

function ownAddress(given: unknown): string {
  if (isMachineAddress(given)) return given;
  throw new Error('must be an IP address of this machine');
}

/** An address, or a network as `192.0.2.0/24`. */
function networkSetting(given: unknown): string {
  const [address, bits, ...more] = typeof given === 'string' ? given.split('/') : [];
  const most = address?.includes(':') ? 128 : 32;
  const isWhole = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most);
  if (isMachineAddress(address) && isWhole && more.length === 0) return String(given);
  throw new Error('must be an IP address or a network such as 192.0.2.0/24');
}

/** Whether it is an IP address that a machine can have, written without zeros in front, which some read as octal. */
function isMachineAddress(given: unknown): given is string {
  if (typeof given !== 'string' || !/^[0-9A-Fa-f.:]{2,45}$/.test(given) || !isAddress(given)) return false;
  return !/^[0.:]+$/.test(given) && !/(?:^|[.:])0\d+\.|\.0\d/.test(given);
}

const fields = {
  host: hostSetting,
  port: optional(numberSetting(1, 65_535), undefined),
  transport: optional(choiceSetting(['udp', 'tcp', 'tls'] as const), 'udp' as const),
  /** The domain of addresses, if it is not the host. */
  domain: optional(hostSetting, undefined),
  /** The account: who calls, and whom digest authentication names unless `authUser` does. */
  user: userPart,
  authUser: optional(userPart, undefined),
  /** The name that a telephone may show. Control characters would end the header. */
  displayName: optional(textSetting(/^[^\p{Cc}"\\]{0,64}$/u, 'up to 64 characters without quotes'), ''),
  /** Whether to register the account, so that people can ring in. */
  register: optional(yesOrNo, false),
  /** Whether people may ring in; calls come to the registered account, or to `listenPort`. */
  ringIn: optional(yesOrNo, false),
  /** Addresses and networks from which calls of the trunk come besides its host, such as those of other servers of the carrier. */
  allowFrom: optional(listSetting(networkSetting, 50), undefined),
  /** The local port on which calls of a trunk without a registration are awaited. */
  listenPort: optional(numberSetting(1, 65_535), undefined),
  /** The local address of all sockets of the trunk; undefined: any for `listenPort`, otherwise the one on the way to the PBX. */
  listenAddress: optional(ownAddress, undefined),
  /** The name or address by which the PBX reaches this machine, in place of its own: behind a NAT that forwards the ports. */
  publicAddress: optional(publicHost, undefined),
  /** The local UDP ports for sound, both included, where a firewall lets only some pass; undefined: any. */
  rtpPortFrom: optional(numberSetting(1_024, 65_535), undefined),
  rtpPortTo: optional(numberSetting(1_024, 65_535), undefined),
  /** The prefix in front of the digits of a number, in place of the plus sign; undefined: the number as it is. */
  dialPrefix: optional(textSetting(/^[0-9*#+]{0,8}$/, 'up to 8 digits'), undefined),
  /** How long the trunk may take until a telephone rings, before the next trunk is tried; the last one has twice as long. */
  progressSeconds: optional(numberSetting(1, 60), 15),
  /** How long it rings. */
  ringSeconds: optional(numberSetting(5, 120), 30),
};

export type SipSettings = SettingValues<typeof fields>;

export const sipProviders = {
  name: 'sip',
  channels: ['voice'],
  capabilities: { isSpoken: true, mostCharacters: undefined, hasReceipts: false, takesReplies: true, isRoom: false },
  fields,
  secrets: ['password'],
  hostsOfSecrets: ({ host }) => ({ password: [host] }),
  conflictsOf: (settings) => [...portConflicts(settings), ...versionConflicts(settings)],
  isHeld: ({ register }) => register === true,
} as const satisfies ProviderKind;

/** The sound of a call has an even port: the odd one behind it belongs to RTCP. */
function portConflicts({ rtpPortFrom: from, rtpPortTo: to }: Readonly<Record<string, unknown>>): SettingProblem[] {
  if (typeof from === 'number' && typeof to === 'number')
    return from + (from % 2) <= to
      ? []
      : [{ field: 'rtpPortTo', message: 'leaves a call no even port from rtpPortFrom on' }];
  if (typeof from === 'number')
    return [{ field: 'rtpPortTo', message: 'is missing: rtpPortFrom is nothing without it' }];
  if (typeof to === 'number') return [{ field: 'rtpPortFrom', message: 'is missing: rtpPortTo is nothing without it' }];
  return [];
}

/** From an address of one version of IP no address of the other one is reached; a name may have addresses of both. */
function versionConflicts(settings: Readonly<Record<string, unknown>>): SettingProblem[] {
  return (['host', 'listenAddress'] as const).flatMap((name) =>
    (['listenAddress', 'publicAddress'] as const).flatMap((field) => {
      const [first, second] = [versionOf(settings[name]), versionOf(settings[field])];
      if (first === second || first === undefined || second === undefined) return [];
      return [{ field, message: `is of IPv${second}, and ${name} of IPv${first}` }];
    }),
  );
}

function versionOf(host: unknown): 4 | 6 | undefined {
  if (typeof host !== 'string') return undefined;
  if (host.includes(':')) return 6;
  return isAddress(host) ? 4 : undefined;
}
