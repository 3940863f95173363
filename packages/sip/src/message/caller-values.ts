// Checks the values that the user of the package gives, before any of them becomes part of a message.

import { isIP } from 'node:net';
import { hasControls } from './head.ts';
import { HeaderFields } from './header-fields.ts';
import { InvalidValue } from './printer.ts';
import { isToken } from './tokens.ts';
import { parseHostPort, parseUri, printUri } from './uri.ts';

/** Refuses control characters, lone halves of surrogate pairs and texts of absurd length. */
export function checkText(name: string, text: string): string {
  if (hasControls(text) || text.includes('\t') || !text.isWellFormed() || text.length > 1_024) {
    throw new InvalidValue(`${name} has control characters or is too long`);
  }
  return text;
}

export function checkAddress(name: string, text: string): void {
  if (isIP(text) === 0) throw new InvalidValue(`${name} is no IP address`);
}

/** `host` has no brackets. */
export function checkHost(name: string, host: string): void {
  const isHost = isIP(host) !== 0 || (!host.includes(':') && parseHostPort(host) !== undefined);
  if (!isHost) throw new InvalidValue(`${name} is no host`);
}

/** The URI as given, or the URI of a user or number at a domain. */
export function uriOf(name: string, text: string, domain: string): string {
  checkText(name, text);
  const uri = /^sips?:/i.test(text) ? text : printUri(uriAt(checkText(name, text), domain));
  if (text === '' || parseUri(uri) === undefined) throw new InvalidValue(`${name} is no SIP URI`);
  return uri;
}

function uriAt(user: string, domain: string) {
  const place = parseHostPort(domain);
  if (place === undefined) throw new InvalidValue('the domain is no host name');
  return { scheme: 'sip' as const, user, ...place, parameters: new Map<string, string | undefined>() };
}

/** Headers that the package writes itself, or that decide where a message goes. */
const ownHeaders = new Set(
  'via from to call-id cseq max-forwards contact content-length content-type route record-route authorization proxy-authorization require supported allow'.split(
    ' ',
  ),
);

/** The caller's own headers of a request. */
export function headersOf(values: Readonly<Record<string, string>> | undefined): HeaderFields {
  const fields = Object.entries(values ?? {}).map(([name, value]) => {
    if (!isToken(name) || name.length === 1 || ownHeaders.has(name.toLowerCase())) {
      throw new InvalidValue('a header has a name that may not be set');
    }
    return { name, value: checkText(`header ${name}`, value) };
  });
  return new HeaderFields(fields);
}
