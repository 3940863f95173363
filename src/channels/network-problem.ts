// Says in words for administrators why no connection to a server could be made, in place of the words of Node.

/** The server that was to be reached. */
export type Reached = {
  readonly host: string;
  readonly port: number;
  /** The settings to try when the server does not speak TLS on the port, such as `try starttls`. */
  readonly withoutTls: string;
};

/** Checked in this order: a certificate that is refused also mentions TLS. */
const phrases: readonly (readonly [RegExp, (to: Reached) => string])[] = [
  [/ENOTFOUND|EDNS/, ({ host }) => `the name ${host} is not known`],
  [/EAI_AGAIN/, ({ host }) => `the name ${host} cannot be looked up now`],
  [/ECONNREFUSED/, (to) => `nothing listens on ${placeOf(to)}`],
  [/EHOSTUNREACH|ENETUNREACH/, (to) => `there is no way through the network to ${placeOf(to)}`],
  [/ECONNRESET|EPIPE|closed unexpectedly/i, (to) => `${placeOf(to)} closed the connection`],
  [/CERT_HAS_EXPIRED|certificate has expired/i, (to) => `the certificate of ${placeOf(to)} has expired`],
  [/ALTNAME|altnames/, (to) => `the certificate of ${placeOf(to)} was made for another name`],
  [
    /certificate|self.signed|UNABLE_TO_|unable to verify/i,
    (to) =>
      `the certificate of ${placeOf(to)} is not trusted: name the file of its authority in NODE_EXTRA_CA_CERTS and restart`,
  ],
  [
    /wrong version number|packet length|SSL routines|ERR_SSL/i,
    (to) => `${placeOf(to)} does not speak TLS: ${to.withoutTls}`,
  ],
  [/ETIMEDOUT|no response|in time|timed? ?out/i, (to) => `no response from ${placeOf(to)}`],
];

export function placeOf({ host, port }: Pick<Reached, 'host' | 'port'>): string {
  return `${host}:${port}`;
}

/** Whether the system refused to look up a name, to connect or to open a port. */
export function isOfNetwork(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** Returns undefined if the error is none of the network. `error` may also be its message. */
export function networkProblem(error: unknown, to: Reached): string | undefined {
  const { code = '', message = '' } =
    typeof error === 'string' ? { message: error } : ((error ?? {}) as { code?: unknown; message?: unknown });
  const text = `${String(code)} ${String(message)}`;
  return phrases.find(([pattern]) => pattern.test(text))?.[1](to);
}
