// The session of this browser: its token, where it is kept, and who is told when it begins or ends.

export type Session = { readonly token: string; readonly name: string; readonly expiresAt: number };

const key = 'tocsin.session';
const listeners = new Set<() => void>();
let current: Session | undefined = stored();

function stored(): Session | undefined {
  const text = sessionStorage.getItem(key) ?? localStorage.getItem(key);
  if (text === null) return undefined;
  const session = JSON.parse(text) as Session;
  return session.expiresAt > Date.now() ? session : undefined;
}

export function currentSession(): Session | undefined {
  return current;
}

/** `isShared`: a control-room screen that stays signed in when the browser is closed. */
export function beginSession(session: Session, isShared: boolean): void {
  current = session;
  (isShared ? localStorage : sessionStorage).setItem(key, JSON.stringify(session));
  for (const listener of listeners) listener();
}

export function endSession(): void {
  current = undefined;
  sessionStorage.removeItem(key);
  localStorage.removeItem(key);
  for (const listener of listeners) listener();
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
