// Makes the response to a request.

import { HeaderFields } from './header-fields.ts';
import { noBody, type SipRequest, type SipResponse } from './message.ts';
import { tagOf, withTag } from './name-address.ts';
import { phraseOf } from './statuses.ts';

export type ResponseParts = {
  readonly reason?: string;
  readonly toTag?: string;
  readonly headers?: HeaderFields;
  readonly body?: Buffer;
};

export function responseTo(request: SipRequest, status: number, parts: ResponseParts = {}): SipResponse {
  const { vias, from, callId, cseq } = request;
  const needsTag = parts.toTag !== undefined && tagOf(request.to) === undefined && status > 100;
  return {
    kind: 'response',
    status,
    reason: parts.reason ?? phraseOf(status),
    vias,
    from,
    to: needsTag ? withTag(request.to, parts.toTag) : request.to,
    callId,
    cseq,
    headers: parts.headers ?? new HeaderFields(),
    body: parts.body ?? noBody,
  };
}
