// Digits that arrive in INFO requests, in the two formats that telephones use.

import type { SipRequest } from '../message/message.ts';
import { parseWhole } from '../message/tokens.ts';
import type { Digit } from './call-events.ts';

export const digitTypes = 'application/dtmf-relay, application/dtmf';

/** Some gateways send the numbers of RFC 2833 events instead of the characters. */
const byNumber: Readonly<Record<string, string>> = { 10: '*', 11: '#', 12: 'A', 13: 'B', 14: 'C', 15: 'D' };

/** The digit; undefined when the body is of another kind or holds none. */
export function digitOf({ headers, body }: SipRequest): Digit | undefined {
  const type = (headers.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase();
  const text = body.toString('latin1');
  if (type === 'application/dtmf') return digit(text.trim());
  if (type !== 'application/dtmf-relay') return undefined;
  const durationMs = parseWhole(lineValue(text, 'duration'), 60_000);
  return digit(lineValue(text, 'signal') ?? '', durationMs);
}

/** The value of the first line `name=value`; blanks around both, and the case of the name, do not count. */
function lineValue(text: string, name: string): string | undefined {
  for (const line of text.split(/[\r\n]/)) {
    const equals = line.indexOf('=');
    if (equals >= 0 && line.slice(0, equals).trim().toLowerCase() === name) return line.slice(equals + 1).trim();
  }
  return undefined;
}

function digit(text: string, durationMs?: number): Digit | undefined {
  const key = (byNumber[text] ?? text).toUpperCase();
  if (!/^[0-9*#A-D]$/.test(key)) return undefined;
  return { digit: key, ...(durationMs !== undefined && { durationMs }) };
}
