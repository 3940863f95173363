// Fetches a small text over HTTP. Refuses private addresses unless allowed, checked on the resolved address (no DNS
// rebinding).

import { lookup as resolve } from 'node:dns';
import { type ClientRequest, get as getHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { get as getHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

type OutsideRequest = {
  readonly url: string;
  /** Allows plain HTTP and addresses of this machine and its network as well. */
  readonly allowsPrivate: boolean;
  readonly timeoutMs: number;
  readonly mostBytes: number;
};

const privateNetworks = new BlockList();
for (const [network, bits, family] of [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
] as const)
  privateNetworks.addSubnet(network, bits, family);

/** Checks an IPv4-mapped IPv6 address as the IPv4 address it contains. */
export function isPrivateAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const judged = mapped ?? address;
  return privateNetworks.check(judged, isIP(judged) === 6 ? 'ipv6' : 'ipv4');
}

/** Returns the text. Errors do not contain the URL, which may contain a secret. */
export async function requestOutside({ url, allowsPrivate, timeoutMs, mostBytes }: OutsideRequest): Promise<string> {
  const { protocol, hostname, username } = new URL(url);
  if (username !== '') throw new Error('the address must not hold a name or password');
  if (protocol !== 'https:' && !allowsPrivate) throw new Error('only https is asked');
  const host = hostname.replace(/^\[|\]$/g, '');
  if (!allowsPrivate && isIP(host) !== 0 && isPrivateAddress(host)) throw new Error(privateRefusal);
  const options = { signal: AbortSignal.timeout(timeoutMs), ...(allowsPrivate ? {} : { lookup: lookupPublic }) };
  const response = await open(protocol === 'https:' ? getHttps : getHttp, url, options);
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`the answer was ${response.statusCode}`);
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > mostBytes) throw new Error(`the answer has more than ${mostBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const privateRefusal = 'the address is one of a private network';

type Get = (url: string, options: RequestOptions, onResponse: (response: IncomingMessage) => void) => ClientRequest;

function open(get: Get, url: string, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    get(url, options, done).on('error', (error) => fail(new Error(reasonOf(error))));
  });
}

function reasonOf(error: Error): string {
  if (error.message === privateRefusal) return privateRefusal;
  return error.name === 'TimeoutError' || error.name === 'AbortError' ? 'no answer in time' : 'cannot be reached';
}

/** Resolves a name without its private addresses: the check and the connection use the same addresses. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '', 0);
    const open = addresses.filter(({ address }) => !isPrivateAddress(address));
    const [first] = open;
    if (first === undefined) return callback(new Error(privateRefusal), '', 0);
    return options.all ? callback(null, open) : callback(null, first.address, first.family);
  });
};
