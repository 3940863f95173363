// A minimal WebSocket client that counts messages without parsing them.

import { connect, type Socket } from 'node:net';

/** Shorter records are handshakes or keep-alives. */
const minMessageBytes = 100;
const recordEnd = 0x1e;

/** Shared by all sockets: the bytes are processed before the next read. */
const shared = Buffer.allocUnsafe(256 * 1024);

/** Builds a frame masked with zeros, which leaves the text unchanged. */
function frameOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}

const handshake = frameOf(`${JSON.stringify({ protocol: 'json', version: 1 })}\x1e`);

/**
 * Counts the records of one connection; a server may send one or several per frame. A byte of a frame's header may
 * equal the record separator too, but the record it would end is too short to be counted.
 */
class RecordCounter {
  /** The number of bytes received of the current record. */
  #length = 0;

  /** Returns how many messages these bytes complete. */
  count(chunk: Buffer): number {
    let found = 0;
    let start = 0;
    for (let end = chunk.indexOf(recordEnd); end >= 0; end = chunk.indexOf(recordEnd, start)) {
      if (this.#length + end - start >= minMessageBytes) found += 1;
      this.#length = 0;
      start = end + 1;
    }
    this.#length += chunk.length - start;
    return found;
  }
}

type RawOptions = {
  readonly url: string;
  /** The request path, such as `/alarmHub?id=…`. */
  readonly path: string;
  readonly token: string;
  readonly onMessages: (count: number) => void;
  readonly onLost: () => void;
};

/** Resolves after the hub's handshake, when messages can arrive. */
export function openRawClient({ url, path, token, onMessages, onLost }: RawOptions): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const records = new RecordCounter();
  let opening: string | undefined = '';
  return new Promise((resolve, reject) => {
    const onBytes = (length: number): boolean => {
      const chunk = shared.subarray(0, length);
      if (opening === undefined) {
        const count = records.count(chunk);
        if (count > 0) onMessages(count);
        return true;
      }
      opening += chunk.toString('latin1');
      const [head = '', rest] = opening.split('\r\n\r\n');
      if (rest === undefined) return true;
      if (!head.startsWith('HTTP/1.1 101')) reject(new Error(`${head} ${rest}`));
      if (rest === '') socket.write(handshake);
      else {
        opening = undefined;
        resolve(socket);
      }
      return true;
    };
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: { buffer: shared, callback: onBytes },
    });
    socket.on('error', reject);
    socket.on('close', onLost);
    const authorization = token !== '' ? `Authorization: Bearer ${token}\r\n` : '';
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${authorization}\r\n`,
    );
  });
}
