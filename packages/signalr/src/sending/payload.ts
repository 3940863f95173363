// Bytes to send to any number of connections, framed once for each transport.

const finalText = 0x81;
const finalBinary = 0x82;

export class Payload {
  readonly isBinary: boolean;
  /** The number of queues that it waits in, counted by the backlog. */
  waitsFor = 0;
  #bytes: Buffer;
  #messageCount = 1;
  #frame: Buffer | undefined;
  #event: Buffer | undefined;

  constructor(bytes: Buffer, isBinary: boolean) {
    this.#bytes = bytes;
    this.isBinary = isBinary;
  }

  /** Joins several payloads into one. */
  static join(payloads: readonly Payload[]): Payload {
    const joined = new Payload(
      Buffer.concat(payloads.map(({ bytes }) => bytes)),
      payloads.some(({ isBinary }) => isBinary),
    );
    joined.#messageCount = payloads.reduce((sum, { messageCount }) => sum + messageCount, 0);
    return joined;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** The number of messages it was joined from. */
  get messageCount(): number {
    return this.#messageCount;
  }

  /** One unmasked WebSocket frame. */
  get frame(): Buffer {
    if (this.#frame === undefined) {
      this.#frame = frameOf(this.#bytes, this.isBinary ? finalBinary : finalText);
      // It may wait for long: the bytes are in memory once, as a part of the frame.
      this.#bytes = this.#frame.subarray(this.#frame.length - this.#bytes.length);
    }
    return this.#frame;
  }

  /** One server-sent event. A line end would end the field, so each line is a field of its own. */
  get event(): Buffer {
    this.#event ??= Buffer.from(`data: ${this.bytes.toString().replaceAll(/\r\n?|\n/g, '\r\ndata: ')}\r\n\r\n`);
    return this.#event;
  }
}

function frameOf(bytes: Buffer, opcode: number): Buffer {
  const { length } = bytes;
  const headerLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  // Not from the pool that small buffers share: a frame that waits would keep all of its neighbours in memory.
  const frame = Buffer.allocUnsafeSlow(headerLength + length);
  frame[0] = opcode;
  if (headerLength === 2) frame[1] = length;
  if (headerLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  }
  if (headerLength === 10) {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  bytes.copy(frame, headerLength);
  return frame;
}
