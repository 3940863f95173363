// A session as the browser stores it; what is damaged is none. Pure.

export type Session = { readonly token: string; readonly name: string; readonly expiresAt: number };

export function readSession(text: string | null): Session | undefined {
  try {
    const { token, name, expiresAt } = JSON.parse(text ?? 'null') as Readonly<Record<string, unknown>>;
    const isWhole = typeof token === 'string' && typeof name === 'string' && typeof expiresAt === 'number';
    return isWhole ? { token, name, expiresAt } : undefined;
  } catch {
    return undefined;
  }
}
