// A call as plain JSON, from which a process that was started anew can release the far end.

import type { SavedDialog } from '../dialog/dialog.ts';
import { HeaderFields } from '../message/header-fields.ts';
import { noBody, type SipRequest } from '../message/message.ts';
import { parseNameAddress, printNameAddress } from '../message/name-address.ts';
import { parseVia, printVia } from '../message/via.ts';

/** Before the answer the INVITE is known, after it the dialog. */
export type SavedCall =
  | {
      readonly kind: 'dialog';
      readonly dialog: SavedDialog;
      /** That of the INVITE, with the local port: some peers answer to the port alone from which they were called. */
      readonly via?: string;
    }
  | {
      readonly kind: 'invite';
      readonly callId: string;
      readonly uri: string;
      readonly via: string;
      readonly from: string;
      readonly to: string;
      readonly seq: number;
    };

export function savedInvite(invite: SipRequest): SavedCall {
  const { callId, uri, from, to, cseq } = invite;
  return {
    kind: 'invite',
    callId,
    uri,
    via: viaOf(invite),
    from: printNameAddress(from),
    to: printNameAddress(to),
    seq: cseq.number,
  };
}

/** The Via of a request that we sent. */
export function viaOf({ vias }: SipRequest): string {
  return vias[0] === undefined ? '' : printVia(vias[0]);
}

/** As much of the INVITE as its CANCEL and its ACK need; undefined when what was saved is damaged. */
export function restoredInvite(saved: Extract<SavedCall, { kind: 'invite' }>): SipRequest | undefined {
  const [via, from, to] = [parseVia(saved.via), parseNameAddress(saved.from), parseNameAddress(saved.to)];
  if (via === undefined || from === undefined || to === undefined) return undefined;
  return {
    kind: 'request',
    method: 'INVITE',
    uri: saved.uri,
    maxForwards: 70,
    vias: [via],
    from,
    to,
    callId: saved.callId,
    cseq: { number: saved.seq, method: 'INVITE' },
    headers: new HeaderFields(),
    body: noBody,
  };
}
