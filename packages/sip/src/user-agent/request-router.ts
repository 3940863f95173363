// Finds for every request from outside the call that it belongs to, and refuses what belongs to none.

import { dialogKey } from '../dialog/dialog.ts';
import { guardOf } from '../guard.ts';
import { HeaderFields } from '../message/header-fields.ts';
import type { SipRequest } from '../message/message.ts';
import { tagOf } from '../message/name-address.ts';
import { responseTo } from '../message/response.ts';
import { descriptionOf, sdpType } from '../message/session-description.ts';
import { parseUri } from '../message/uri.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';
import { newTag, type TransactionLayer } from '../transaction/transaction-layer.ts';
import type { Flow } from '../transport/network.ts';
import { allowed, extensions } from './capabilities.ts';
import { IncomingCall } from './incoming-call.ts';
import type { CallContext } from './outgoing-call.ts';
import type { Session } from './session.ts';
import { sessionIntervalOf, shortestInterval } from './session-timer.ts';

export type RouterSetup = {
  readonly layer: TransactionLayer;
  readonly context: CallContext;
  readonly sessions: ReadonlyMap<string, Session>;
  /** Whether a call of ours that rings is asked. */
  isAskedEarly(request: SipRequest): boolean;
  /** Absent, calls are refused with 480. */
  readonly onInvite: ((call: IncomingCall) => void) | undefined;
  /** The response that asks for credentials; undefined for requests that have the right ones. */
  challenge(request: SipRequest): Promise<HeaderFields | undefined>;
};

type Refusal = { readonly status: number; readonly headers?: HeaderFields };

export class RequestRouter {
  readonly #setup: RouterSetup;
  /** Calls that ring, by the transaction of their INVITE, for CANCEL. */
  readonly #ringing = new WeakMap<ServerTransaction, IncomingCall>();

  constructor(setup: RouterSetup) {
    this.#setup = setup;
  }

  receive(transaction: ServerTransaction): void {
    const { request } = transaction;
    const refusal = request.method === 'CANCEL' ? undefined : this.#refusalOf(transaction);
    if (refusal !== undefined) refuse(transaction, refusal);
    else if (request.method === 'CANCEL') this.#receiveCancel(transaction);
    else if (tagOf(request.to) !== undefined) this.#receiveInDialog(transaction);
    else if (request.method === 'OPTIONS') this.#receiveOptions(transaction);
    else if (request.method === 'INVITE') this.#takeInvite(transaction);
    else refuse(transaction, request.method === 'BYE' ? { status: 481 } : notAllowed);
  }

  #receiveInDialog(transaction: ServerTransaction): void {
    const session = this.#setup.sessions.get(localKeyOf(transaction.request));
    if (session !== undefined) {
      // It knows our tag.
      transaction.setup.flow.reach?.show();
      session.receive(transaction);
    } else
      refuse(transaction, this.#setup.isAskedEarly(transaction.request) ? earlyAnswer(transaction.request) : noDialog);
  }

  /** The ACK for a 2xx. */
  receiveAck(request: SipRequest, flow: Flow): void {
    const session = this.#setup.sessions.get(localKeyOf(request));
    if (session !== undefined) flow.reach?.show();
    session?.receiveAck(request);
  }

  #refusalOf(transaction: ServerTransaction): Refusal | undefined {
    const { layer } = this.#setup;
    const { request } = transaction;
    if (parseUri(request.uri) === undefined) return { status: 416 };
    if (layer.isMerged(transaction) || layer.isLoop(request)) return { status: 482 };
    const unknown = request.headers.tokens('Require').filter((name) => !extensions.includes(name));
    if (unknown.length === 0) return undefined;
    return { status: 420, headers: HeaderFields.of({ Unsupported: unknown.join(', ') }) };
  }

  #receiveCancel(transaction: ServerTransaction): void {
    const invite = this.#setup.layer.inviteOf(transaction.request);
    refuse(transaction, { status: invite === undefined ? 481 : 200 });
    const call = invite === undefined ? undefined : this.#ringing.get(invite);
    if (call !== undefined) call.cancelled(transaction.request);
    else if (invite !== undefined) refuse(invite, { status: 487 });
  }

  #receiveOptions(transaction: ServerTransaction): void {
    refuse(transaction, { status: this.#setup.onInvite === undefined ? 480 : 200, headers: capabilities() });
  }

  /** A handler that fails costs the one call, not the process. */
  #takeInvite(transaction: ServerTransaction): void {
    const { onFault } = this.#setup.context.endpoint;
    const guard = guardOf(`call ${transaction.request.callId}`, onFault, () => {
      const call = this.#ringing.get(transaction);
      if (call === undefined) refuse(transaction, { status: 500 });
      else call.abort();
    });
    guard(() => this.#receiveInvite(transaction));
  }

  async #receiveInvite(transaction: ServerTransaction): Promise<void> {
    const { onInvite, context } = this.#setup;
    const { request } = transaction;
    const interval = sessionIntervalOf(request);
    if (onInvite === undefined) return refuse(transaction, { status: 480 });
    if (descriptionOf(request) === 'unsupported') {
      return refuse(transaction, { status: 415, headers: HeaderFields.of({ Accept: sdpType }) });
    }
    if (interval !== undefined && interval.seconds < shortestInterval) {
      return refuse(transaction, { status: 422, headers: HeaderFields.of({ 'Min-SE': String(shortestInterval) }) });
    }
    const challenge = await this.#setup.challenge(request);
    // Cancelled meanwhile.
    if (transaction.isAnswered) return;
    if (challenge !== undefined) return refuse(transaction, { status: 401, headers: challenge });
    const call = new IncomingCall(context, transaction);
    this.#ringing.set(transaction, call);
    onInvite(call);
  }
}

const noDialog: Refusal = { status: 481 };

/** Our offer is open while it rings, so another one has to wait (RFC 3311, 5.2); there is nothing to be told yet. */
function earlyAnswer({ method, body }: SipRequest): Refusal {
  if (method === 'UPDATE') return { status: body.length > 0 ? 491 : 200 };
  if (method === 'INFO') return { status: 200 };
  return method === 'OPTIONS' ? { status: 200, headers: capabilities() } : noDialog;
}

function capabilities(): HeaderFields {
  return HeaderFields.of({ Allow: allowed, Accept: sdpType, Supported: extensions.join(', ') });
}

const notAllowed: Refusal = { status: 405, headers: HeaderFields.of({ Allow: allowed }) };

function refuse(transaction: ServerTransaction, { status, headers }: Refusal): void {
  const parts = { toTag: newTag(), ...(headers && { headers }) };
  transaction.respond(responseTo(transaction.request, status, parts));
}

/** The dialog of a request from outside: our tag is the one of To. */
function localKeyOf({ callId, to, from }: SipRequest): string {
  return dialogKey(callId, tagOf(to), tagOf(from));
}
