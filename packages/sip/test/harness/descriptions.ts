// Session descriptions for tests of the signalling, to which they are only text.

export const offer = description('127.0.0.1', 40_000);
export const answer = description('127.0.0.1', 41_000);

function description(address: string, port: number): string {
  const lines = [
    'v=0',
    `o=- 1 1 IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    `m=audio ${port} RTP/AVP 8`,
  ];
  return `${lines.join('\r\n')}\r\n`;
}
