// The session description in a message: its body, or the one part of a multipart body that is one.

import type { SipMessage } from './message.ts';
import { parseParameters, splitOutside } from './tokens.ts';

export const sdpType = 'application/sdp';

/** The description as text; `unsupported` when the body is something else that had to be understood. */
export function descriptionOf(message: SipMessage): string | undefined | 'unsupported' {
  if (message.body.length === 0) return undefined;
  const encoding = message.headers.get('Content-Encoding')?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') return 'unsupported';
  const [type, ...parts] = splitOutside(message.headers.get('Content-Type') ?? '', ';') ?? [''];
  const kind = (type ?? '').toLowerCase().replaceAll(/\s/g, '');
  if (kind === sdpType) return message.body.toString('utf8');
  const boundary = kind.startsWith('multipart/') ? parseParameters(parts)?.get('boundary') : undefined;
  const found = boundary === undefined ? undefined : partOf(message.body, boundary);
  if (found !== undefined) return found;
  return isOptional(message) ? undefined : 'unsupported';
}

function isOptional(message: SipMessage): boolean {
  return /;\s*handling\s*=\s*optional\b/i.test(message.headers.get('Content-Disposition') ?? '');
}

/** The first part of type application/sdp. */
function partOf(body: Buffer, boundary: string): string | undefined {
  const parts = `\r\n${body.toString('utf8')}`.split(`\r\n--${boundary}`).slice(1, -1);
  for (const part of parts) {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, Math.max(end, 0));
    if (/\r\nContent-Type\s*:\s*application\/sdp\s*(?:;|\r\n|$)/i.test(head)) return part.slice(end + 4);
  }
  return undefined;
}
