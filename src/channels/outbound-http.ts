// Requests to addresses outside: HTTPS only, no private network, no redirects, with limits on time and size. The checks
// use the IP address that is connected to.

import { lookup as resolve } from 'node:dns';
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isAddress, isPrivateAddress } from '../domain/channels/private-address.ts';
import { providerReasonIn } from '../domain/channels/words/catalogue.ts';
import type { ProviderReason } from '../domain/channels/words/provider-reason.ts';
import { guard } from '../guard.ts';

type Limits = {
  readonly url: string;
  /** Allows addresses of this machine and its network as well. */
  readonly allowsPrivate: boolean;
  readonly allowsHttp: boolean;
  readonly timeoutMs: number;
  readonly mostBytes: number;
};

/** The other side was not reached, or not in time; `why` has no URL, which may contain a secret. */
export class OutsideError extends Error {
  readonly why: ProviderReason;
  /** Whether the address may not be requested at all. */
  readonly isRefused: boolean;

  constructor(why: ProviderReason, isRefused = false) {
    super(providerReasonIn('en', why));
    this.why = why;
    this.isRefused = isRefused;
  }
}

/** Returns the text of a response with the status 200. */
export async function requestOutside(limits: Limits): Promise<string> {
  const response = await open(limits, { method: 'GET' }, undefined, AbortSignal.timeout(limits.timeoutMs));
  if (response.statusCode !== 200) {
    response.destroy();
    throw new OutsideError({ code: 'outside-status', status: response.statusCode ?? 0 });
  }
  return Buffer.concat(await partsOf(response, limits.mostBytes)).toString('utf8');
}

type Posted = Limits & {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
};

/**
 * Posts the body; returns the status and when to try again. The status is the answer: what follows it is not waited for, so that
 * a page without end or a stalled one does not make a message that was taken look lost, and go out again.
 */
export async function postOutside({
  headers,
  body,
  signal,
  ...limits
}: Posted): Promise<{ readonly status: number; readonly retryAfter: string | undefined }> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(limits.timeoutMs)]);
  const sent = { ...headers, 'content-length': String(Buffer.byteLength(body)) };
  const response = await open(limits, { method: 'POST', headers: sent }, body, within);
  void partsOf(response, limits.mostBytes).catch(() => {});
  return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] };
}

async function partsOf(response: IncomingMessage, mostBytes: number): Promise<readonly Buffer[]> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      size += part.length;
      if (size > mostBytes) break;
      parts.push(part);
    }
  } catch (error) {
    throw failureOf(error);
  }
  if (size > mostBytes) throw new OutsideError({ code: 'outside-large', bytes: mostBytes });
  return parts;
}

type OutsideCode =
  | 'outside-host-unknown'
  | 'outside-host-not-looked-up'
  | 'outside-nothing-there'
  | 'outside-cut'
  | 'outside-unreachable';

/** Of the error by which a lookup refuses a name. */
const privateRefusal = providerReasonIn('en', { code: 'outside-private' });

function open(
  { url, allowsPrivate, allowsHttp }: Limits,
  options: RequestOptions,
  body: string | undefined,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') throw new OutsideError({ code: 'outside-credentials' }, true);
  if (protocol !== 'https:' && !(allowsHttp && protocol === 'http:'))
    throw new OutsideError({ code: 'outside-only-https' }, true);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (!allowsPrivate && isAddress(host) && isPrivateAddress(host))
    throw new OutsideError({ code: 'outside-private' }, true);
  const send = protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((done, fail) => {
    const limited = allowsPrivate ? {} : { lookup: publicLookup(resolve) };
    // A connection of its own: one that is kept may have been made to an address that is not allowed here.
    const request = send(url, { ...options, ...limited, agent: false, signal }, done);
    request.on('error', (error) => guard(fail, () => fail(failureOf(error))));
    request.end(body);
  });
}

const reasons: Readonly<Record<string, OutsideCode>> = {
  ENOTFOUND: 'outside-host-unknown',
  EAI_AGAIN: 'outside-host-not-looked-up',
  ECONNREFUSED: 'outside-nothing-there',
  ECONNRESET: 'outside-cut',
};

function failureOf(error: unknown): OutsideError {
  if (error instanceof OutsideError) return error;
  const { name, code, message } = error as Error & { readonly code?: string };
  if (message === privateRefusal) return new OutsideError({ code: 'outside-private' }, true);
  if (name === 'TimeoutError' || name === 'AbortError') return new OutsideError({ code: 'outside-late' });
  if (/CERT|SIGNATURE|ERR_TLS|SSL/.test(code ?? ''))
    return new OutsideError({ code: 'outside-certificate', said: code ?? '' });
  return new OutsideError({ code: reasons[code ?? ''] ?? 'outside-unreachable' });
}

/** Resolves a name without its private addresses: the check and the connection use the same addresses. */
export function publicLookup(resolveAll: typeof resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolveAll(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const allowed = addresses.filter(({ address }) => !isPrivateAddress(address));
      const [first] = allowed;
      if (first === undefined) return callback(new Error(privateRefusal), '', 0);
      return options.all ? callback(null, allowed) : callback(null, first.address, first.family);
    });
  };
}
