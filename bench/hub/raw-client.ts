// A WebSocket client that costs next to nothing: it counts messages and does not look into them.

import { connect, type Socket } from 'node:net';

/** What is shorter is a handshake or a sign of life. */
const shortestNews = 100;
const recordEnd = 0x1e;

/** All sockets read into it: what came is dealt with before anybody reads again. */
const shared = Buffer.allocUnsafe(256 * 1024);

/** Masked with zeros, which leaves the text as it is. */
function frameOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}

const handshake = frameOf(`${JSON.stringify({ protocol: 'json', version: 1 })}\x1e`);

/**
 * Counts the records of one connection, which a server may send one or several to a frame. A byte of a frame's header may
 * look like the end of a record too, but what it ends is too short to be counted.
 */
class RecordCounter {
  /** How much of the record under way has come. */
  #length = 0;

  /** How many records that tell something became whole with these bytes. */
  count(chunk: Buffer): number {
    let found = 0;
    let start = 0;
    for (let end = chunk.indexOf(recordEnd); end >= 0; end = chunk.indexOf(recordEnd, start)) {
      if (this.#length + end - start >= shortestNews) found += 1;
      this.#length = 0;
      start = end + 1;
    }
    this.#length += chunk.length - start;
    return found;
  }
}

export type RawOptions = {
  readonly url: string;
  /** What is asked for, such as `/alarmHub?id=…`. */
  readonly path: string;
  readonly token: string;
  readonly onNews: (count: number) => void;
  readonly onLost: () => void;
};

/** Resolves when messages can come, after the handshake of a hub. */
export function openRawClient({ url, path, token, onNews, onLost }: RawOptions): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const records = new RecordCounter();
  let opening: string | undefined = '';
  return new Promise((resolve, reject) => {
    const onBytes = (length: number): boolean => {
      const chunk = shared.subarray(0, length);
      if (opening === undefined) {
        const count = records.count(chunk);
        if (count > 0) onNews(count);
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
