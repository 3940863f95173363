// An entry of the call history: one attempt to reach a person, as lists show it. Pure.

/** Times are milliseconds since 1970. */
export type CallHistory = {
  readonly id: number;
  readonly callId: number;
  readonly cause: string;
  readonly alarmId: number | undefined;
  /** The entry of the history of that alarm; undefined where an earlier version made it. */
  readonly occurrenceId: number | undefined;
  /** What is told of that alarm; undefined where an earlier version made it. */
  readonly text: string | undefined;
  /** Every alarm it was for, in ascending order; undefined where an earlier version made it. */
  readonly alarmIds: readonly number[] | undefined;
  /** Those that were read, or counted aloud; undefined before that. */
  readonly announcedAlarmIds: readonly number[] | undefined;
  /** Of the alarm; undefined for what is no alarm. */
  readonly priority: number | undefined;
  readonly callGroupId: number | undefined;
  readonly userId: number;
  readonly user: string;
  readonly channel: string;
  readonly address: string;
  readonly attempt: number;
  /** The name of the provider that carried it; undefined if none did, or it was removed. */
  readonly provider: string | undefined;
  /** Every provider that was asked, in order, where there were several; the name is undefined if it was removed, the outcome of the last one before the end. */
  readonly providers: readonly {
    readonly name: string | undefined;
    readonly outcome: string | undefined;
    readonly detail: string | undefined;
  }[];
  readonly status: number;
  readonly startedAt: number | undefined;
  readonly createdAt: number;
  readonly rangAt: number | undefined;
  /** When a telephone was picked up. */
  readonly answeredAt: number | undefined;
  /** When the provider said that it was delivered. */
  readonly deliveredAt: number | undefined;
  /** When the provider said that it was read. */
  readonly readAt: number | undefined;
  readonly ackAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly outcome: string | undefined;
  /** An actor such as `user:3`, or `channel`. */
  readonly endedBy: string | undefined;
  /** The alarms that the person acknowledged, and when. */
  readonly acknowledged: readonly (readonly [alarmId: number, at: number])[];
  /** Why it was made; undefined where an earlier version made it. */
  readonly reason: WordedReason | undefined;
  /** What happened. */
  readonly detail: string;
  /** The code of `detail`, if it is a reason. */
  readonly detailCode: string | undefined;
};

type WordedReason = { readonly reason: string; readonly reasonCode: string | undefined };
