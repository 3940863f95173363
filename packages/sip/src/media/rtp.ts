// RTP packets (RFC 3550), parsed and printed.

export type RtpPacket = {
  readonly payloadType: number;
  /** Set on the first packet of an event, or of sound after silence. */
  readonly marker: boolean;
  /** 16 bits. */
  readonly sequence: number;
  /** 32 bits, in samples. */
  readonly timestamp: number;
  /** The number that names the stream of its sender. */
  readonly ssrc: number;
  readonly payload: Uint8Array;
};

const headerBytes = 12;

/** Parses a datagram; undefined for anything that is no whole RTP packet. The payload shares the memory of the datagram. */
export function parseRtp(bytes: Uint8Array): RtpPacket | undefined {
  if (bytes.length < headerBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const flags = view.getUint8(0);
  if (flags >> 6 !== 2) return undefined;
  let begin = headerBytes + (flags & 0x0f) * 4;
  if (flags & 0x10) {
    if (begin + 4 > bytes.length) return undefined;
    begin += 4 + view.getUint16(begin + 2) * 4;
  }
  const padding = flags & 0x20 ? view.getUint8(bytes.length - 1) : 0;
  const end = bytes.length - padding;
  const isPaddingFalse = (flags & 0x20) !== 0 && padding === 0;
  if (begin > end || isPaddingFalse) return undefined;
  return {
    payloadType: view.getUint8(1) & 0x7f,
    marker: (view.getUint8(1) & 0x80) !== 0,
    sequence: view.getUint16(2),
    timestamp: view.getUint32(4),
    ssrc: view.getUint32(8),
    payload: bytes.subarray(begin, end),
  };
}

export function printRtp({ payloadType, marker, sequence, timestamp, ssrc, payload }: RtpPacket): Uint8Array {
  const bytes = new Uint8Array(headerBytes + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, 0x80);
  view.setUint8(1, (marker ? 0x80 : 0) | (payloadType & 0x7f));
  view.setUint16(2, sequence);
  view.setUint32(4, timestamp);
  view.setUint32(8, ssrc);
  bytes.set(payload, headerBytes);
  return bytes;
}

/** How far sequence number `a` is after `b`, negative when it is before: both wrap at 16 bits. */
export function sequenceDistance(a: number, b: number): number {
  return ((a - b) << 16) >> 16;
}

/** How far timestamp `a` is after `b`, negative when it is before: both wrap at 32 bits. */
export function timestampDistance(a: number, b: number): number {
  return (a - b) | 0;
}
