// Writes messages for tests line by line.

/** The bytes of a message: the lines, an empty line, the body; a Content-Length is added unless a line has one. */
export function wire(lines: readonly string[], body = ''): Buffer {
  const hasLength = lines.some((line) => /^(?:Content-Length|l)\s*:/i.test(line));
  const all = hasLength ? lines : [...lines, `Content-Length: ${Buffer.byteLength(body)}`];
  return Buffer.from(`${all.join('\r\n')}\r\n\r\n${body}`);
}

/** A plain request with some of its headers replaced; `undefined` leaves one out. */
export function plainRequest(
  startLine: string,
  changes: Readonly<Record<string, string | undefined>> = {},
  body = '',
  more: readonly string[] = [],
): Buffer {
  const method = startLine.split(' ')[0] ?? '';
  const headers: Record<string, string | undefined> = {
    Via: 'SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKtorture1;rport',
    'Max-Forwards': '70',
    From: '<sip:caller@example.net>;tag=f1',
    To: '<sip:user@example.com>',
    'Call-ID': 'torture@192.0.2.1',
    CSeq: `1 ${method}`,
    ...changes,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return wire([startLine, ...lines, ...more], body);
}
