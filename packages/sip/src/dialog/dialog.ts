// A dialog: what both sides of a call agreed on, and the requests made from it.

import { HeaderFields } from '../message/header-fields.ts';
import { noBody, type SipMessage, type SipRequest, type SipResponse } from '../message/message.ts';
import {
  type NameAddress,
  parseNameAddress,
  parseNameAddresses,
  printNameAddress,
  tagOf,
  withTag,
} from '../message/name-address.ts';
import { parseUri, type SipUri } from '../message/uri.ts';

/** A dialog as plain JSON, from which another process can end the call. It holds no secret. */
export type SavedDialog = {
  readonly callId: string;
  readonly local: string;
  readonly remote: string;
  readonly localSeq: number;
  readonly target: string;
  readonly routes: readonly string[];
  /** The peer has named no address of its own: its requests go where the first one of the call went. */
  readonly hasNoContact?: true;
};

type State = {
  readonly callId: string;
  readonly local: NameAddress;
  readonly remote: NameAddress;
  readonly routes: readonly NameAddress[];
  target: string;
  hasContact: boolean;
  localSeq: number;
  remoteSeq: number | undefined;
};

export class Dialog {
  readonly #state: State;

  private constructor(state: State) {
    this.#state = state;
  }

  /** The dialog of the caller, made by a response with a tag. */
  static ofResponse(invite: SipRequest, response: SipResponse): Dialog {
    const contact = contactOf(response);
    return new Dialog({
      callId: invite.callId,
      local: invite.from,
      remote: response.to,
      routes: routesOf(response).reverse(),
      target: contact ?? invite.uri,
      hasContact: contact !== undefined,
      localSeq: invite.cseq.number,
      remoteSeq: undefined,
    });
  }

  /** The dialog of the callee. */
  static ofRequest(invite: SipRequest, localTag: string): Dialog {
    const contact = contactOf(invite);
    return new Dialog({
      callId: invite.callId,
      local: withTag(invite.to, localTag),
      remote: invite.from,
      routes: routesOf(invite),
      target: contact ?? invite.from.uri,
      hasContact: contact !== undefined,
      localSeq: 0,
      remoteSeq: invite.cseq.number,
    });
  }

  /** The dialog of a process that is gone, which may have sent further requests after it was saved. */
  static restored(saved: SavedDialog): Dialog | undefined {
    const [local, remote] = [parseNameAddress(saved.local), parseNameAddress(saved.remote)];
    const routes = saved.routes.map(parseNameAddress).filter((route) => route !== undefined);
    if (local === undefined || remote === undefined || routes.length < saved.routes.length) return undefined;
    const { callId, target, hasNoContact } = saved;
    return new Dialog({
      callId,
      local,
      remote,
      routes,
      target,
      hasContact: hasNoContact !== true,
      localSeq: saved.localSeq + seqsOfDeadProcess,
      remoteSeq: undefined,
    });
  }

  save(): SavedDialog {
    const { callId, local, remote, localSeq, target, routes, hasContact } = this.#state;
    return {
      callId,
      local: printNameAddress(local),
      remote: printNameAddress(remote),
      localSeq,
      target,
      routes: routes.map(printNameAddress),
      ...(hasContact ? {} : { hasNoContact: true }),
    };
  }

  /** Identifies the dialog among those of this process. */
  get key(): string {
    const { callId, local, remote } = this.#state;
    return dialogKey(callId, tagOf(local), tagOf(remote));
  }

  get callId(): string {
    return this.#state.callId;
  }

  get remoteTag(): string | undefined {
    return tagOf(this.#state.remote);
  }

  /** Where requests of the dialog are sent to; undefined when the peer named no SIP URI. */
  get nextHop(): SipUri | undefined {
    const { routes, target, hasContact } = this.#state;
    return parseUri(routes[0]?.uri ?? (hasContact ? target : ''));
  }

  /** A request of the dialog, without Via. */
  request(method: string, headers = new HeaderFields(), body = noBody): SipRequest {
    this.#state.localSeq += 1;
    return this.#draft(method, this.#state.localSeq, headers, body);
  }

  /** The ACK for a 2xx, which has the number of its INVITE. */
  ack(invite: SipRequest): SipRequest {
    const credentials = ['Authorization', 'Proxy-Authorization'].flatMap((name) =>
      invite.headers.getAll(name).map((value) => ({ name, value })),
    );
    return this.#draft('ACK', invite.cseq.number, new HeaderFields(credentials), noBody);
  }

  nextSeq(): number {
    this.#state.localSeq += 1;
    return this.#state.localSeq;
  }

  #draft(method: string, number: number, headers: HeaderFields, body: Buffer): SipRequest {
    const { callId, local, remote, routes, target } = this.#state;
    const [first, ...others] = routes;
    // A first route without `lr` is a router of RFC 2543, which expects to be the request URI.
    const isLoose = first === undefined || parseUri(first.uri)?.parameters.has('lr') === true;
    const path = isLoose ? routes : [...others, { uri: target, parameters: new Map() }];
    return {
      kind: 'request',
      method,
      uri: isLoose ? target : first.uri,
      maxForwards: 70,
      vias: [],
      from: local,
      to: remote,
      callId,
      cseq: { number, method },
      headers: new HeaderFields(path.map((route) => ({ name: 'Route', value: printNameAddress(route) }))).withAll(
        headers,
      ),
      body,
    };
  }

  /** Whether the request is newer than all before; it then counts as seen. */
  accept(request: SipRequest): boolean {
    const last = this.#state.remoteSeq;
    if (last !== undefined && request.cseq.number <= last) return false;
    this.#state.remoteSeq = request.cseq.number;
    return true;
  }

  /** Requests and answers that set up or renew the session may move the peer to another address. */
  refreshTarget(message: SipMessage): void {
    const contact = contactOf(message);
    if (contact === undefined) return;
    this.#state.target = contact;
    this.#state.hasContact = true;
  }
}

/** How many requests a process may have sent after it saved the dialog; numbers may be left out, but never go back. */
const seqsOfDeadProcess = 1_000;

export function dialogKey(callId: string, localTag: string | undefined, remoteTag: string | undefined): string {
  return JSON.stringify([callId, localTag, remoteTag]);
}

function routesOf(message: SipMessage): NameAddress[] {
  return message.headers.getAll('Record-Route').flatMap((value) => parseNameAddresses(value) ?? []);
}

function contactOf(message: SipMessage): string | undefined {
  const value = message.headers.get('Contact');
  const uri = value === undefined ? undefined : parseNameAddresses(value)?.[0]?.uri;
  return uri !== undefined && parseUri(uri) !== undefined ? uri : undefined;
}
