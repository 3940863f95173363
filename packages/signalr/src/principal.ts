// Who is connected, as far as the server needs to know.

/** Who holds the token of a request. The server compares ids and looks at the expiry, and passes the rest on unseen. */
export type Principal = {
  readonly id: string;
  /** Milliseconds since 1970; without it the token does not expire. */
  readonly expiresAt?: number;
};

export function isExpired({ expiresAt }: Principal, now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt;
}
