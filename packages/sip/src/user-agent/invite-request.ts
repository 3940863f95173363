// The INVITE of a call that is placed, and its CANCEL.

import { randomUUID } from 'node:crypto';
import type { Credentials } from '../auth/digest-client.ts';
import { checkText, headersOf, uriOf } from '../message/caller-values.ts';
import { HeaderFields } from '../message/header-fields.ts';
import { noBody, type SipRequest } from '../message/message.ts';
import { sdpType } from '../message/session-description.ts';
import { newTag } from '../transaction/transaction-layer.ts';
import { allowed } from './capabilities.ts';
import type { OfferHandler } from './session.ts';
import { domainOf, type Trunk } from './trunk.ts';

export type InviteOptions = {
  /** A number or user at the trunk's domain, or a whole SIP URI. */
  readonly to: string;
  readonly trunk: Trunk;
  /** Our own number or user, or a whole SIP URI; the name of the credentials when absent. */
  readonly from?: string;
  readonly displayName?: string;
  readonly credentials?: Credentials;
  /** The session description that is offered. */
  readonly offer: string;
  /** Headers of the caller's own, such as `P-Asserted-Identity`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Cancels the call, or hangs up; a string as its reason is told to the peer. */
  readonly signal?: AbortSignal;
  /** How long the peer may take to say anything at all; 10 s when absent. */
  readonly responseTimeoutMs?: number;
  /** How long the peer may take until it rings, or says anything but 100; 30 s when absent. */
  readonly progressTimeoutMs?: number;
  /** How long it may ring; 45 s when absent. */
  readonly ringTimeoutMs?: number;
  /** Answers new offers during the call; without it the first description is repeated. */
  readonly onOffer?: OfferHandler;
};

export function inviteDraft(options: InviteOptions): SipRequest {
  const { to, from, displayName, trunk, credentials, offer, headers } = options;
  const domain = checkText('domain', domainOf(trunk));
  const toUri = uriOf('to', to, domain);
  const fromUri = uriOf('from', from ?? credentials?.username ?? 'anonymous', domain);
  if (displayName !== undefined) checkText('display name', displayName);
  if (credentials !== undefined) checkText('user name', credentials.username);
  return {
    kind: 'request',
    method: 'INVITE',
    uri: toUri,
    maxForwards: 70,
    vias: [],
    from: { ...(displayName && { displayName }), uri: fromUri, parameters: new Map([['tag', newTag()]]) },
    to: { uri: toUri, parameters: new Map() },
    callId: randomUUID(),
    cseq: { number: 1, method: 'INVITE' },
    headers: HeaderFields.of({ Allow: allowed, Supported: 'timer', 'Content-Type': sdpType }).withAll(
      headersOf(headers),
    ),
    body: Buffer.from(offer),
  };
}

/** The CANCEL of an INVITE, which has the same Via. */
export function cancelOf(invite: SipRequest, headers: HeaderFields): SipRequest {
  const routes = invite.headers.getAll('Route').map((value) => ({ name: 'Route', value }));
  return {
    ...invite,
    method: 'CANCEL',
    cseq: { number: invite.cseq.number, method: 'CANCEL' },
    headers: new HeaderFields(routes).withAll(headers),
    body: noBody,
  };
}
