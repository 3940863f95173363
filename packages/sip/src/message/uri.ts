// SIP and SIPS URIs: parsing, printing, and the refusal of characters that would break out of them.

/** A SIP URI; `user` is unescaped, parameter names are in lower case, and an IPv6 `host` has its brackets. */
export type SipUri = {
  readonly scheme: 'sip' | 'sips';
  readonly user?: string;
  readonly password?: string;
  readonly host: string;
  readonly port?: number;
  /** A parameter without a value is `undefined`. */
  readonly parameters: ReadonlyMap<string, string | undefined>;
  /** The part after `?`, as it was written. */
  readonly headers?: string;
};

const hostPattern = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9.])?)$/;
const userPattern = /^(?:[A-Za-z0-9\-_.!~*'()&=+$,;?/]|%[0-9A-Fa-f]{2})+$/;
const passwordPattern = /^(?:[A-Za-z0-9\-_.!~*'()&=+$,]|%[0-9A-Fa-f]{2})*$/;
const parameterPattern = /^(?:[A-Za-z0-9\-_.!~*'()[\]/:&+$]|%[0-9A-Fa-f]{2})+$/;
const headersPattern = /^(?:[A-Za-z0-9\-_.!~*'()[\]/?:+$=&]|%[0-9A-Fa-f]{2})+$/;

/** Parses a SIP or SIPS URI without angle brackets; undefined when it is malformed or of another scheme. */
export function parseUri(text: string): SipUri | undefined {
  const [, scheme, rest] = /^(sips?):(.*)$/i.exec(text) ?? [];
  if (scheme === undefined || rest === undefined) return undefined;
  const at = rest.indexOf('@');
  const user = at < 0 ? {} : parseUser(rest.slice(0, at));
  const place = parsePlace(rest.slice(at + 1));
  if (user === undefined || place === undefined) return undefined;
  return { scheme: scheme.toLowerCase() as 'sip' | 'sips', ...user, ...place };
}

function parseUser(text: string): { user: string; password?: string } | undefined {
  const colon = text.indexOf(':');
  const user = colon < 0 ? text : text.slice(0, colon);
  const password = colon < 0 ? undefined : text.slice(colon + 1);
  if (!userPattern.test(user) || (password !== undefined && !passwordPattern.test(password))) return undefined;
  const name = unescaped(user);
  return password === undefined ? { user: name } : { user: name, password };
}

function parsePlace(text: string): Omit<SipUri, 'scheme'> | undefined {
  const question = text.indexOf('?');
  const headers = question < 0 ? undefined : text.slice(question + 1);
  if (headers !== undefined && !headersPattern.test(headers)) return undefined;
  const [hostPort = '', ...parts] = (question < 0 ? text : text.slice(0, question)).split(';');
  const address = parseHostPort(hostPort);
  const parameters = parseParameters(parts);
  if (address === undefined || parameters === undefined) return undefined;
  return { ...address, parameters, ...(headers !== undefined && { headers }) };
}

/** Parses `host`, `host:port`, `[v6]` or `[v6]:port`; undefined when it is malformed. */
export function parseHostPort(text: string): { host: string; port?: number } | undefined {
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (host === undefined || !hostPattern.test(host)) return undefined;
  if (port === undefined) return { host };
  return Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}

function parseParameters(parts: readonly string[]): Map<string, string | undefined> | undefined {
  const parameters = new Map<string, string | undefined>();
  for (const part of parts) {
    const equals = part.indexOf('=');
    const name = equals < 0 ? part : part.slice(0, equals);
    const value = equals < 0 ? undefined : part.slice(equals + 1);
    if (!parameterPattern.test(name) || (value !== undefined && !parameterPattern.test(value))) return undefined;
    if (parameters.has(name.toLowerCase())) return undefined;
    parameters.set(name.toLowerCase(), value);
  }
  return parameters;
}

/** Resolves `%xx`; bytes that are no UTF-8 are kept as they were written. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Prints the URI; characters of the user part that have a meaning in SIP are escaped. */
export function printUri(uri: SipUri): string {
  const password = uri.password === undefined ? '' : `:${uri.password}`;
  const user = uri.user === undefined ? '' : `${escapeUser(uri.user)}${password}@`;
  const port = uri.port === undefined ? '' : `:${uri.port}`;
  const headers = uri.headers === undefined ? '' : `?${uri.headers}`;
  return `${uri.scheme}:${user}${uri.host}${port}${printUriParameters(uri.parameters)}${headers}`;
}

function printUriParameters(parameters: SipUri['parameters']): string {
  return [...parameters].map(([name, value]) => (value === undefined ? `;${name}` : `;${name}=${value}`)).join('');
}

/** The characters that RFC 3261 lets stand in a user part, without `;` and `?`, which some servers take as separators. */
function escapeUser(user: string): string {
  return user.replaceAll(/[^A-Za-z0-9\-_.!~*'()&=+$,/]/gu, (character) => {
    const bytes = new TextEncoder().encode(character);
    return [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  });
}
