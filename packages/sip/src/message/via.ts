// The Via header: the way a request took, hop by hop.

import { type Parameters, parseParameters, parseWhole, printParameters, splitOutside } from './tokens.ts';
import { parseHostPort } from './uri.ts';

export type Via = {
  /** `UDP`, `TCP`, `TLS`, … in upper case. */
  readonly protocol: string;
  readonly host: string;
  readonly port?: number;
  readonly parameters: Parameters;
};

/** Branches of RFC 3261 begin with this; others are those of RFC 2543 and identify no transaction. */
export const branchCookie = 'z9hG4bK';

export function parseVia(text: string): Via | undefined {
  const [head, ...rest] = splitOutside(text, ';') ?? [];
  const [, protocol, place] =
    /^SIP\s*\/\s*2\.0\s*\/\s*([A-Za-z0-9\-.!%*_+`'~]+)\s+(\S+(?:\s*:\s*\d+)?)$/i.exec(head ?? '') ?? [];
  const address = parseHostPort((place ?? '').replaceAll(/\s/g, ''));
  const parameters = parseParameters(rest);
  if (protocol === undefined || address === undefined || parameters === undefined) return undefined;
  const rport = parameters.get('rport');
  if (rport !== undefined && parseWhole(rport, 65_535) === undefined) return undefined;
  return { protocol: protocol.toUpperCase(), ...address, parameters };
}

/** Parses a list of values separated by commas; undefined when one of them is malformed. */
export function parseVias(text: string): Via[] | undefined {
  const values = splitOutside(text, ',')?.map(parseVia) ?? [undefined];
  return values.every((value) => value !== undefined) ? values : undefined;
}

export function printVia({ protocol, host, port, parameters }: Via): string {
  return `SIP/2.0/${protocol} ${host}${port === undefined ? '' : `:${port}`}${printParameters(parameters)}`;
}

export function branchOf(via: Via): string | undefined {
  return via.parameters.get('branch');
}

/** The Via of a request as it is kept for the answer: with the address and port that it really came from. */
export function withSource(via: Via, source: { readonly address: string; readonly port: number }): Via {
  const parameters = new Map(via.parameters);
  const isAsked = parameters.has('rport');
  if (isAsked) parameters.set('rport', String(source.port));
  if (isAsked || via.host.replaceAll(/[[\]]/g, '') !== source.address) parameters.set('received', source.address);
  return { ...via, parameters };
}
