// An occurrence of an alarm of the demo plant. Pure.

/** Times are milliseconds since 1970. */
export type DemoOccurrence = {
  /** The place of its tag in the list of tags. */
  readonly tag: number;
  readonly raisedAt: number;
  /** Undefined while it stands. */
  readonly resetAt: number | undefined;
  readonly ack: Acknowledgement | undefined;
  readonly mask: Masking | undefined;
};

export type Acknowledgement = { readonly person: string; readonly at: number; readonly comment: string };

export type Masking = {
  readonly person: string;
  readonly at: number;
  readonly until: number;
  readonly reason: string;
};

/** When nothing more happens to it. */
export function endOf({ resetAt = Number.POSITIVE_INFINITY, ack }: DemoOccurrence): number {
  return Math.max(resetAt, ack?.at ?? 0);
}
