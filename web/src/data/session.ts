// The session of this browser: its token, where it is kept, and whether it ended by itself.

import { readSession, type Session } from './stored-session.ts';

export type { Session };

const key = 'tocsin.session';
const listeners = new Set<() => void>();
let current: Session | undefined = stored();
/** The session that expired or was revoked: its screen stays, with what was typed, until somebody signs in again. */
let expired: Session | undefined;

function stored(): Session | undefined {
  const session = readSession(sessionStorage.getItem(key)) ?? readSession(localStorage.getItem(key));
  return session !== undefined && session.expiresAt > Date.now() ? session : undefined;
}

export function currentSession(): Session | undefined {
  return current;
}

export function expiredSession(): Session | undefined {
  return expired;
}

/** The name of the user whose screen is shown, also while they have to sign in again. */
export function shownUser(): string | undefined {
  return (current ?? expired)?.name;
}

/** `isShared`: a control-room screen that stays signed in when the browser is closed. */
export function beginSession(session: Session, isShared: boolean): void {
  current = session;
  expired = undefined;
  (isShared ? localStorage : sessionStorage).setItem(key, JSON.stringify(session));
  for (const listener of listeners) listener();
}

/** Ends the session because its user leaves. */
export function endSession(): void {
  expired = undefined;
  forget();
  for (const listener of listeners) listener();
}

/** Ends the session because the server no longer takes its token. One that another tab has begun meanwhile goes on here. */
export function expireSession(): void {
  const ended = current;
  forget();
  current = stored();
  if (current === undefined || current.name !== ended?.name) {
    current = undefined;
    expired = ended;
  }
  for (const listener of listeners) listener();
}

/** Forgets this session and no other: the storage of the browser is that of all its tabs. */
function forget(): void {
  const token = current?.token;
  current = undefined;
  for (const storage of [sessionStorage, localStorage])
    if (readSession(storage.getItem(key))?.token === token) storage.removeItem(key);
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
