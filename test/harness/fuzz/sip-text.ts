// Messages of SIP as text, built from the parts of a call.

export type SipCall = {
  readonly id: string;
  /** The address in Via and Contact: of who sends. */
  readonly host: string;
  readonly port: number;
  readonly transport: 'UDP' | 'TCP';
  /** Where requests of the call go to. */
  readonly target: string;
  readonly from: string;
  readonly to: string;
};

export type SipContent = { readonly type: string; readonly body: string };

export function sdp(port: number, more: readonly string[] = []): string {
  const lines = ['o=fuzz 1 1 IN IP4 127.0.0.1', 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'];
  const media = [
    `m=audio ${port} RTP/AVP 8 0 101`,
    'a=rtpmap:101 telephone-event/8000',
    'a=fmtp:101 0-15',
    'a=ptime:20',
  ];
  return ['v=0', ...lines, ...media, ...more, ''].join('\r\n');
}

export function sipRequest(call: SipCall, method: string, sequence: number, content?: SipContent): string {
  const { id, host, port, transport, target, from, to } = call;
  // A CANCEL is of the transaction of its INVITE.
  const branch = method === 'CANCEL' || method === 'INVITE' ? `${id}-${sequence}` : `${id}-${method}-${sequence}`;
  return [
    `${method} ${target} SIP/2.0`,
    `Via: SIP/2.0/${transport} ${host}:${port};branch=z9hG4bK-${branch};rport`,
    'Max-Forwards: 70',
    `From: ${from}`,
    `To: ${to}`,
    `Call-ID: ${id}`,
    `CSeq: ${sequence} ${method}`,
    `Contact: <sip:fuzz@${host}:${port};transport=${transport.toLowerCase()}>`,
    'Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, UPDATE',
    'Supported: timer, 100rel',
    'Session-Expires: 1800;refresher=uac',
    ...(content === undefined ? [] : [`Content-Type: ${content.type}`]),
    `Content-Length: ${content?.body.length ?? 0}`,
    '',
    content?.body ?? '',
  ].join('\r\n');
}

/** A response to a request that came, with its headers copied. */
export function sipResponse(
  request: string,
  status: string,
  more: readonly string[] = [],
  { type = 'application/sdp', body = '' }: Partial<SipContent> = {},
): string {
  const copied = ['Via', 'From', 'Call-ID', 'CSeq'].map((name) => `${name}: ${sipHeader(request, name) ?? ''}`);
  const called = sipHeader(request, 'To') ?? '';
  const tag = status.startsWith('100') || called.includes(';tag=') ? '' : ';tag=fuzz';
  return [
    `SIP/2.0 ${status}`,
    ...copied,
    `To: ${called}${tag}`,
    ...more,
    ...(body === '' ? [] : [`Content-Type: ${type}`]),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

export function sipHeader(text: string, name: string): string | undefined {
  return new RegExp(`^${name}: *(.*?)\\r?$`, 'im').exec(text)?.[1];
}
