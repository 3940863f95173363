// Checks what is left after a server was killed at random against a history that was kept outside of it: what clients
// requested and were answered, what the hub sent, and when the server was killed. Pure.

/** What a client requested. `text` is unique, and `userId` is a person who is called for nothing else. */
export type Requested =
  | { readonly what: 'raise'; readonly client: number; readonly text: string; readonly userId?: number }
  | { readonly what: 'call-group'; readonly text: string; readonly userId: number }
  | { readonly what: 'acknowledge'; readonly alarmId: number; readonly userId: number };

/** `info`: nobody knows whether the request was carried out, because the connection broke. Times are in milliseconds. */
export type HistoryEntry = { readonly at: number } & (
  | { readonly kind: 'invoke'; readonly request: number; readonly requested: Requested }
  | { readonly kind: 'ok'; readonly request: number; readonly id?: number }
  | { readonly kind: 'fail'; readonly request: number; readonly status: number }
  | { readonly kind: 'info'; readonly request: number }
  | { readonly kind: 'push'; readonly alarmId: number; readonly text: string }
  | { readonly kind: 'kill' }
);

/** What is stored after the last start, and what reached the phones. */
export type Remains = {
  readonly alarms: readonly { readonly id: number; readonly text: string; readonly isAcknowledged: boolean }[];
  readonly attempts: readonly {
    readonly id: number;
    readonly userId: number;
    readonly startedAt: number;
    /** Undefined while the attempt goes on. */
    readonly endedAt: number | undefined;
  }[];
  /** One entry per message that a phone received. */
  readonly messages: readonly { readonly attemptId: number }[];
  /** The people who are called once, whatever happens. */
  readonly calledOnce: ReadonlySet<number>;
};

export type Findings = {
  /** Requests by how they ended. */
  readonly ok: number;
  readonly failed: number;
  readonly unknown: number;
  readonly kills: number;
  readonly alarms: number;
  readonly attempts: number;
  readonly pushes: number;
  /** Answered, and not stored. */
  readonly lost: number;
  /** Stored, and never requested. */
  readonly phantom: number;
  /** One id for two alarms, or another id than the answered one. */
  readonly idClash: number;
  /** Ids that one client got in another order than it asked. */
  readonly reordered: number;
  /** An acknowledgement that was answered, of an alarm that is not acknowledged. */
  readonly falseAck: number;
  /** Answered, and the person was never called, although nobody requested to acknowledge the alarm. */
  readonly missedCall: number;
  /** Messages beyond one per attempt, and attempts beyond one for people who are called once. */
  readonly duplicate: number;
  /** Attempts that were under way when the server was killed: the most duplicates that are allowed. */
  readonly inFlight: number;
  /** Attempts that started more than two seconds after the acknowledgement was answered. */
  readonly afterAck: number;
  /** Alarms that the hub never sent, sent again, sent although nobody requested them, and sent although they are not stored. */
  readonly hubMissed: number;
  readonly hubDuplicate: number;
  readonly hubPhantom: number;
  readonly hubBeforeCommit: number;
};

const afterAckMs = 2_000;

export function checkHistory(history: readonly HistoryEntry[], remains: Remains): Findings {
  const of = <K extends HistoryEntry['kind']>(kind: K) =>
    history.filter((entry): entry is Extract<HistoryEntry, { kind: K }> => entry.kind === kind);
  const requests = new Map(of('invoke').map(({ request, requested }) => [request, requested]));
  const answered = of('ok').flatMap((entry) => {
    const requested = requests.get(entry.request);
    return requested === undefined ? [] : [{ ...entry, requested }];
  });
  const kills = of('kill');
  return {
    ok: answered.length,
    failed: of('fail').length,
    unknown: of('info').length,
    kills: kills.length,
    alarms: remains.alarms.length,
    attempts: remains.attempts.length,
    pushes: of('push').length,
    ...checkAlarms(answered, [...requests.values()], remains),
    ...checkCalls(answered, [...requests.values()], kills, remains),
    ...checkPushes(of('push'), [...requests.values()], remains),
  };
}

type Answered = { readonly at: number; readonly id?: number; readonly requested: Requested };

function textsOf(requested: readonly Requested[]): ReadonlySet<string> {
  return new Set(requested.flatMap((one) => (one.what === 'acknowledge' ? [] : [one.text])));
}

function checkAlarms(answered: readonly Answered[], requested: readonly Requested[], { alarms }: Remains) {
  const asked = textsOf(requested);
  const idOf = new Map(alarms.map(({ id, text }) => [text, id]));
  const acknowledged = new Set(alarms.filter(({ isAcknowledged }) => isAcknowledged).map(({ id }) => id));
  const raises = answered.flatMap(({ id, requested: one }) =>
    one.what === 'raise' && id !== undefined ? [{ id, ...one }] : [],
  );
  const ids = [...alarms.map(({ id }) => id)];
  const byClient = Map.groupBy(raises, ({ client }) => client);
  const isBefore = (list: readonly { readonly id: number }[], index: number): boolean =>
    (list[index]?.id ?? 0) <= (list[index - 1]?.id ?? 0);
  return {
    lost: [...textsOf(answered.map((one) => one.requested))].filter((text) => !idOf.has(text)).length,
    phantom: alarms.filter(({ text }) => !asked.has(text)).length,
    idClash:
      repeated(ids) +
      repeated(raises.map(({ id }) => id)) +
      raises.filter(({ id, text }) => idOf.has(text) && idOf.get(text) !== id).length,
    reordered: [...byClient.values()].flatMap((list) => list.filter((_, index) => index > 0 && isBefore(list, index)))
      .length,
    falseAck: answered.filter(({ requested: one }) => one.what === 'acknowledge' && !acknowledged.has(one.alarmId))
      .length,
  };
}

function checkCalls(
  answered: readonly Answered[],
  requested: readonly Requested[],
  kills: readonly { readonly at: number }[],
  { attempts, messages, calledOnce }: Remains,
) {
  const byUser = Map.groupBy(attempts, ({ userId }) => userId);
  const acks = answered.flatMap(({ at, requested: one }) =>
    one.what === 'acknowledge' ? [{ at, userId: one.userId }] : [],
  );
  const settled = new Set(requested.flatMap((one) => (one.what === 'acknowledge' ? [one.userId] : [])));
  const due = answered.flatMap(({ requested: one }) =>
    one.what !== 'acknowledge' && one.userId !== undefined && !settled.has(one.userId) ? [one.userId] : [],
  );
  const excess = [...calledOnce].reduce((sum, id) => sum + Math.max(0, (byUser.get(id)?.length ?? 0) - 1), 0);
  return {
    missedCall: due.filter((userId) => !byUser.has(userId)).length,
    duplicate: repeated(messages.map(({ attemptId }) => attemptId)) + excess,
    inFlight: attempts.filter(({ startedAt, endedAt = Number.POSITIVE_INFINITY }) =>
      kills.some(({ at }) => startedAt <= at && at <= endedAt),
    ).length,
    afterAck: acks.flatMap(({ at, userId }) =>
      (byUser.get(userId) ?? []).filter(({ startedAt }) => startedAt > at + afterAckMs),
    ).length,
  };
}

function checkPushes(
  pushes: readonly { readonly alarmId: number; readonly text: string }[],
  requested: readonly Requested[],
  { alarms }: Remains,
) {
  const asked = textsOf(requested);
  const stored = new Set(alarms.map(({ id }) => id));
  const pushed = new Set(pushes.map(({ alarmId }) => alarmId));
  const known = pushes.filter(({ text }) => asked.has(text));
  return {
    hubMissed: alarms.filter(({ id }) => !pushed.has(id)).length,
    hubDuplicate: repeated(pushes.map(({ alarmId }) => alarmId)),
    hubPhantom: pushes.length - known.length,
    hubBeforeCommit: new Set(known.filter(({ alarmId }) => !stored.has(alarmId)).map(({ alarmId }) => alarmId)).size,
  };
}

/** How many values have occurred before. */
function repeated(values: readonly number[]): number {
  return values.length - new Set(values).size;
}

/** The findings that must be zero. */
const faults = [
  'lost',
  'phantom',
  'idClash',
  'reordered',
  'falseAck',
  'missedCall',
  'afterAck',
  'hubMissed',
  'hubDuplicate',
  'hubPhantom',
  'hubBeforeCommit',
] as const satisfies readonly (keyof Findings)[];

/** Returns the names of the broken promises. */
export function brokenPromises(findings: Findings): readonly string[] {
  const isTooMany = findings.duplicate > findings.inFlight;
  return [...faults.filter((name) => findings[name] > 0), ...(isTooMany ? ['duplicate'] : [])];
}
