// Says why no connection to a server could be made, in place of the words of Node.

import type { ProviderReason, TlsAdvice } from '../domain/channels/words/provider-reason.ts';

/** The server that was to be reached. */
export type Reached = {
  readonly host: string;
  readonly port: number;
  /** The address of this machine that is to be used; undefined: any. */
  readonly from?: string | undefined;
  /** Which settings to try when the server does not speak TLS on the port. */
  readonly advice: TlsAdvice;
};

/** Checked in this order: a certificate that is refused also mentions TLS. */
const problems: readonly (readonly [RegExp, (to: Reached) => ProviderReason | undefined])[] = [
  [/ENOTFOUND|EDNS/, ({ host }) => ({ code: 'name-unknown', host })],
  [/EAI_AGAIN/, ({ host }) => ({ code: 'name-not-looked-up', host })],
  [/bind EADDRNOTAVAIL/, ({ from }) => (from === undefined ? undefined : { code: 'address-not-here', address: from })],
  [/ECONNREFUSED/, (to) => ({ code: 'nothing-listens', place: placeOf(to) })],
  [/EHOSTUNREACH|ENETUNREACH/, (to) => ({ code: 'no-way-there', place: placeOf(to) })],
  [/ECONNRESET|EPIPE|closed unexpectedly/i, (to) => ({ code: 'connection-closed', place: placeOf(to) })],
  [/CERT_HAS_EXPIRED|certificate has expired/i, (to) => ({ code: 'certificate-expired', place: placeOf(to) })],
  [/ALTNAME|altnames/, (to) => ({ code: 'certificate-of-another', place: placeOf(to) })],
  [
    /certificate|self.signed|UNABLE_TO_|unable to verify/i,
    (to) => ({ code: 'certificate-untrusted', place: placeOf(to) }),
  ],
  [
    /wrong version number|packet length|SSL routines|ERR_SSL/i,
    (to) => ({ code: 'no-tls', place: placeOf(to), advice: to.advice }),
  ],
  [/ETIMEDOUT|no response|in time|timed? ?out/i, (to) => ({ code: 'no-response', place: placeOf(to) })],
];

export function placeOf({ host, port }: Pick<Reached, 'host' | 'port'>): string {
  return `${host}:${port}`;
}

/** Whether the system refused to look up a name, to connect or to open a port. */
export function isOfNetwork(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** Returns undefined if the error is none of the network. `error` may also be its message. */
export function networkProblem(error: unknown, to: Reached): ProviderReason | undefined {
  const {
    code = '',
    message = '',
    hostname = to.host,
  } = (typeof error === 'string' ? { message: error } : (error ?? {})) as {
    code?: unknown;
    message?: unknown;
    hostname?: string;
  };
  const text = `${String(code)} ${String(message)}`;
  return problems.find(([pattern]) => pattern.test(text))?.[1]({ ...to, host: hostname });
}
