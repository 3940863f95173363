// Sends calls to many members of a hub, a few members per step.

import type { ConnectionFilter, HubConnection } from '../hub.ts';
import { CallBundle, type SharedCall } from './shared-call.ts';

/** A connection as its hub uses it. */
export interface Member extends HubConnection {
  /** Sends at once, past the scheduler. */
  deliver(call: SharedCall): void;
  /** Sends several calls in one write, where the connection can do that. Throws before anything was sent. */
  deliverTogether?(bundle: CallBundle): void;
}

/** The members that a call is sent to, each with the value of the hub's counter when it joined. */
export type Recipients = Map<Member, number>;

const membersPerStep = 32;
/** Bounds the time that serializing one bundle takes. */
const callsPerBatch = 64;

/** A call to the members present when it was made, and the promise that resolves when it was written to all of them. */
type PendingCall = {
  readonly call: SharedCall;
  readonly madeAt: number;
  readonly filter: ConnectionFilter | undefined;
  resolve(): void;
  reject(error: unknown): void;
};

/**
 * Sends calls to its recipients, a few members per step. Calls made before the batch begins join it: there is more to
 * send than fits in one time slice then, and most of the cost is per write, not per byte.
 */
export class BroadcastBatch {
  readonly recipients: Recipients;
  #calls: PendingCall[] = [];
  #members: Iterator<[Member, number]> | undefined;
  /** The bundle for members that get every call of the batch. */
  #wholeBundle: CallBundle | undefined;

  constructor(recipients: Recipients) {
    this.recipients = recipients;
  }

  get isOpen(): boolean {
    return this.#members === undefined && this.#calls.length < callsPerBatch;
  }

  add(pending: PendingCall): void {
    this.#calls.push(pending);
  }

  /** Returns true when every member was written to. */
  readonly step = (): boolean => {
    this.#members ??= this.recipients.entries();
    try {
      for (let count = 0; count < membersPerStep; count++) {
        const next = this.#members.next();
        if (next.done) {
          for (const pending of this.#calls) pending.resolve();
          return true;
        }
        this.#send(...next.value);
      }
      return false;
    } catch (error) {
      for (const pending of this.#calls) pending.reject(error);
      return true;
    }
  };

  #send(member: Member, joinedAt: number): void {
    const due: PendingCall[] = [];
    for (const pending of this.#calls) {
      // The iterator also visits members that joined after the call was made; the call is not for them.
      if (joinedAt <= pending.madeAt && (pending.filter?.(member) ?? true)) due.push(pending);
    }
    if (due.length > 1 && this.#deliverTogether(member, due)) return;
    for (const pending of due) this.#deliver(member, pending);
  }

  /** Returns false when the member cannot do that, or one of the calls cannot be serialized. */
  #deliverTogether(member: Member, due: readonly PendingCall[]): boolean {
    if (member.deliverTogether === undefined) return false;
    const isWhole = due.length === this.#calls.length;
    const bundle = (isWhole ? this.#wholeBundle : undefined) ?? new CallBundle(due.map(({ call }) => call));
    if (isWhole) this.#wholeBundle = bundle;
    try {
      member.deliverTogether(bundle);
      return true;
    } catch {
      return false;
    }
  }

  #deliver(member: Member, pending: PendingCall): void {
    try {
      member.deliver(pending.call);
    } catch (error) {
      pending.reject(error);
      this.#calls = this.#calls.filter((one) => one !== pending);
      this.#wholeBundle = undefined;
    }
  }
}
