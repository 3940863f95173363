// The cookie with the mark by which a browser stays known to an account; it gives no access.

import type { IncomingHttpHeaders } from 'node:http';
import { knownAddressMs } from '../domain/access/sign-in-throttle.ts';

const name = 'tocsin_device';
const pattern = new RegExp(`(?:^|;\\s*)${name}=([\\w-]{1,100})(?:;|$)`);

/** The mark that a sign-in brings, and whether its client will keep one: browsers name the origin of the page. */
export function deviceIn({ cookie, origin }: IncomingHttpHeaders): {
  readonly mark: string | undefined;
  readonly keepsMark: boolean;
} {
  const mark = pattern.exec(cookie ?? '')?.[1];
  return { mark, keepsMark: mark !== undefined || origin !== undefined };
}

/** The value of Set-Cookie: sent back with sign-ins alone, hidden from scripts, and over TLS only where the page came by it. */
export function deviceCookie(mark: string, path: string, { origin }: IncomingHttpHeaders): string {
  const secure = origin?.startsWith('https:') ? '; Secure' : '';
  return `${name}=${mark}; Path=${path}; Max-Age=${knownAddressMs / 1_000}; HttpOnly; SameSite=Strict${secure}`;
}
