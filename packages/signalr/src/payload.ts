// Bytes to be sent to any number of connections, framed for each transport once.

const finalText = 0x81;
const finalBinary = 0x82;

export class Payload {
  readonly bytes: Buffer;
  readonly isBinary: boolean;
  #parts: readonly Payload[] | undefined;
  #frame: Buffer | undefined;
  #event: Buffer | undefined;

  constructor(bytes: Buffer, isBinary: boolean) {
    this.bytes = bytes;
    this.isBinary = isBinary;
  }

  /** Several payloads as one. */
  static join(payloads: readonly Payload[]): Payload {
    const joined = new Payload(
      Buffer.concat(payloads.map(({ bytes }) => bytes)),
      payloads.some(({ isBinary }) => isBinary),
    );
    joined.#parts = payloads.flatMap(({ parts }) => parts);
    return joined;
  }

  /** The messages in it. */
  get parts(): readonly Payload[] {
    return this.#parts ?? [this];
  }

  get messageCount(): number {
    return this.#parts?.length ?? 1;
  }

  /** As one unmasked WebSocket frame, ready to be written to a socket. */
  get frame(): Buffer {
    this.#frame ??= frameOf(this.bytes, this.isBinary ? finalBinary : finalText);
    return this.#frame;
  }

  /** As one server-sent event. Any end of line would end the field, so each line is a field of its own. */
  get event(): Buffer {
    this.#event ??= Buffer.from(`data: ${this.bytes.toString().replaceAll(/\r\n?|\n/g, '\r\ndata: ')}\r\n\r\n`);
    return this.#event;
  }
}

function frameOf(bytes: Buffer, opcode: number): Buffer {
  const { length } = bytes;
  const headerLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerLength + length);
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
