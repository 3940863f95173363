// Prints messages, and refuses control characters in every value as the last line of defence.

import { hasControls } from './head.ts';
import type { SipMessage } from './message.ts';
import { printNameAddress } from './name-address.ts';
import type { Answerable } from './parser.ts';
import { printVia } from './via.ts';

/** A value that cannot stand in a SIP message, named without being repeated. */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue';
}

export function printMessage(message: SipMessage): Buffer {
  const lines = [
    message.kind === 'request'
      ? `${message.method} ${message.uri} SIP/2.0`
      : `SIP/2.0 ${message.status} ${message.reason}`,
    ...message.vias.map((via) => `Via: ${printVia(via)}`),
    ...(message.kind === 'request' ? [`Max-Forwards: ${message.maxForwards}`] : []),
    `From: ${printNameAddress(message.from)}`,
    `To: ${printNameAddress(message.to)}`,
    `Call-ID: ${message.callId}`,
    `CSeq: ${message.cseq.number} ${message.cseq.method}`,
    ...[...message.headers].map(({ name, value }) => `${name}: ${value}`),
    `Content-Length: ${message.body.length}`,
  ];
  return Buffer.concat([Buffer.from(joined(lines)), message.body]);
}

/** Prints the response to a malformed request, whose values are sent back as they came. */
export function printRefusal({ status, vias, from, to, callId, cseq }: Answerable, toTag: string): Buffer {
  const lines = [
    `SIP/2.0 ${status} ${status === 505 ? 'Version Not Supported' : 'Bad Request'}`,
    ...vias.map((via) => `Via: ${printVia(via)}`),
    `From: ${from}`,
    `To: ${to}${/;\s*tag\s*=/i.test(to) ? '' : `;tag=${toTag}`}`,
    `Call-ID: ${callId}`,
    `CSeq: ${cseq}`,
    'Content-Length: 0',
  ];
  return Buffer.from(joined(lines));
}

function joined(lines: readonly string[]): string {
  const broken = lines.find(hasControls);
  if (broken !== undefined) {
    throw new InvalidValue(`control characters in ${/^[A-Za-z-]+(?=:)/.exec(broken)?.[0] ?? 'the start line'}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
