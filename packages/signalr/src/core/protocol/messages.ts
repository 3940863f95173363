// The messages of the ASP.NET Core hub protocol.

export const messageType = {
  invocation: 1,
  streamItem: 2,
  completion: 3,
  streamInvocation: 4,
  cancelInvocation: 5,
  ping: 6,
  close: 7,
  ack: 8,
  sequence: 9,
} as const;

export type Invocation = {
  readonly type: typeof messageType.invocation;
  /** Absent when the sender wants no completion. */
  readonly invocationId?: string;
  readonly target: string;
  readonly args: readonly unknown[];
  readonly streamIds?: readonly string[];
};

export type StreamInvocation = {
  readonly type: typeof messageType.streamInvocation;
  readonly invocationId: string;
  readonly target: string;
  readonly args: readonly unknown[];
  readonly streamIds?: readonly string[];
};

type StreamItem = {
  readonly type: typeof messageType.streamItem;
  readonly invocationId: string;
  readonly item: unknown;
};

/** The result of a call; without result and error the method returned nothing. */
export type Outcome = { readonly result?: unknown; readonly error?: string };
export type Completion = Outcome & { readonly type: typeof messageType.completion; readonly invocationId: string };

type CancelInvocation = { readonly type: typeof messageType.cancelInvocation; readonly invocationId: string };
type Ping = { readonly type: typeof messageType.ping };
export type Close = {
  readonly type: typeof messageType.close;
  readonly error?: string;
  readonly allowReconnect?: boolean;
};
type Ack = { readonly type: typeof messageType.ack; readonly sequenceId: number };
type Sequence = { readonly type: typeof messageType.sequence; readonly sequenceId: number };

export type HubMessage =
  | Invocation
  | StreamInvocation
  | StreamItem
  | Completion
  | CancelInvocation
  | Ping
  | Close
  | Ack
  | Sequence;

/** Returns whether stateful reconnect numbers and replays the message. */
export function isCounted({ type }: HubMessage): boolean {
  return type <= messageType.cancelInvocation;
}

/** Thrown when a client sends an invalid message. Its text is for `onError`, not for the client. */
export class InvalidMessage extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'InvalidMessage';
  }
}
