// The session of this browser: its token, where it is kept, and whether it ended by itself.

export type Session = { readonly token: string; readonly name: string; readonly expiresAt: number };

const key = 'tocsin.session';
const listeners = new Set<() => void>();
let current: Session | undefined = stored();
/** The session that expired or was revoked: its screen stays, with what was typed, until somebody signs in again. */
let expired: Session | undefined;

function stored(): Session | undefined {
  const text = sessionStorage.getItem(key) ?? localStorage.getItem(key);
  if (text === null) return undefined;
  const session = JSON.parse(text) as Session;
  return session.expiresAt > Date.now() ? session : undefined;
}

export function currentSession(): Session | undefined {
  return current;
}

export function expiredSession(): Session | undefined {
  return expired;
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
}

/** Ends the session because the server no longer takes its token. */
export function expireSession(): void {
  expired = current;
  forget();
}

function forget(): void {
  current = undefined;
  sessionStorage.removeItem(key);
  localStorage.removeItem(key);
  for (const listener of listeners) listener();
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
