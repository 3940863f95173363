// The values of From, To, Contact, Route and Record-Route: an optional display name, a URI and parameters.

import { isQuoted, type Parameters, parseParameters, printParameters, quote, splitOutside, unquote } from './tokens.ts';
import { parseUri } from './uri.ts';

export type NameAddress = {
  readonly displayName?: string;
  /** As it was written: schemes other than `sip` and `sips` are allowed, too. */
  readonly uri: string;
  readonly parameters: Parameters;
};

/** Parses one value; undefined when it is malformed. */
export function parseNameAddress(text: string): NameAddress | undefined {
  const [head, ...rest] = splitOutside(text, ';') ?? [];
  if (head === undefined) return undefined;
  const bracketed = /^((?:"(?:[^"\\]|\\.)*"|[^"<>])*)<([^<>]*)>$/s.exec(head);
  const displayName = bracketed === null ? undefined : parseDisplayName((bracketed[1] ?? '').trim());
  const uri = bracketed === null ? head : (bracketed[2] ?? '');
  const parameters = parseParameters(rest);
  if (displayName === null || parameters === undefined || !isUri(uri)) return undefined;
  // Outside of angle brackets these characters would belong to the URI or to the header, nobody can tell.
  if (bracketed === null && /[?,]/.test(uri)) return undefined;
  return { ...(displayName !== undefined && displayName !== '' && { displayName }), uri, parameters };
}

/** Parses a list of values separated by commas; undefined when one of them is malformed. */
export function parseNameAddresses(text: string): NameAddress[] | undefined {
  const values = splitOutside(text, ',')?.map(parseNameAddress) ?? [undefined];
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** A display name without its quotes; null when it has characters that need quotes. */
function parseDisplayName(text: string): string | null {
  if (isQuoted(text)) return unquote(text);
  return /["<>,;:@\\[\]]/.test(text) ? null : text.replaceAll(/\s+/g, ' ');
}

/** Whether the text is a URI of any scheme; those of SIP have to be wholly right. */
export function isUri(text: string): boolean {
  if (/^sips?:/i.test(text)) return parseUri(text) !== undefined;
  return /^[A-Za-z][A-Za-z0-9+.-]*:[\x21\x23-\x3b\x3d\x3f-\x7e]+$/.test(text);
}

export function printNameAddress({ displayName, uri, parameters }: NameAddress): string {
  const name = displayName === undefined || displayName === '' ? '' : `${quote(displayName)} `;
  return `${name}<${uri}>${printParameters(parameters)}`;
}

export function tagOf(address: NameAddress): string | undefined {
  return address.parameters.get('tag');
}

export function withTag(address: NameAddress, tag: string): NameAddress {
  return { ...address, parameters: new Map([...address.parameters, ['tag', tag]]) };
}
