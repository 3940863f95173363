// Signs out: this browser forgets the session at once, and the server is told until it has heard.

import { basePath } from './server.ts';
import { currentSession, endSession } from './session.ts';

const tryEveryMs = 5_000;

/** The sessions that were left here and that the server has not ended yet. */
let pending = 0;
const listeners = new Set<() => void>();

export function pendingSignOuts(): number {
  return pending;
}

export function onSignOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function leave(): void {
  const token = currentSession()?.token;
  endSession();
  if (token !== undefined) void tellServer(token);
}

async function tellServer(token: string): Promise<void> {
  if (await isEnded(token)) return;
  count(1);
  do await new Promise((done) => setTimeout(done, tryEveryMs));
  while (!(await isEnded(token)));
  count(-1);
}

/** A token that the server does not know any more is ended, too. */
async function isEnded(token: string): Promise<boolean> {
  try {
    const headers = { Authorization: `Bearer ${token}` };
    const { ok, status } = await fetch(`${basePath}/api/v1/auth/logout`, { method: 'POST', headers, keepalive: true });
    return ok || status === 401;
  } catch {
    return false;
  }
}

function count(by: number): void {
  pending += by;
  for (const listener of listeners) listener();
}
