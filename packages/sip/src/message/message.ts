// Requests and responses, with the fields that every message has apart from the rest of its headers.

import type { HeaderFields } from './header-fields.ts';
import type { NameAddress } from './name-address.ts';
import type { Via } from './via.ts';

type Common = {
  /** The topmost first. */
  readonly vias: readonly Via[];
  readonly from: NameAddress;
  readonly to: NameAddress;
  readonly callId: string;
  readonly cseq: { readonly number: number; readonly method: string };
  readonly headers: HeaderFields;
  readonly body: Buffer;
};

export type SipRequest = Common & {
  readonly kind: 'request';
  readonly method: string;
  readonly uri: string;
  readonly maxForwards: number;
};

export type SipResponse = Common & { readonly kind: 'response'; readonly status: number; readonly reason: string };

export type SipMessage = SipRequest | SipResponse;

export const noBody = Buffer.alloc(0);

/** No message may be larger, in bytes. */
export const messageLimit = 65_536;
