// The identity behind a connection.

/**
 * The holder of a request's token. The server compares `id` and checks `expiresAt`; it passes further fields on unread.
 */
export type Principal = {
  readonly id: string;
  /** Milliseconds since 1970; without it the token does not expire. */
  readonly expiresAt?: number;
};

export function isExpired({ expiresAt }: Principal, now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt;
}
