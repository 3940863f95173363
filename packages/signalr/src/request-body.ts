// Reads the body of a request up to a limit.

import type { IncomingMessage } from 'node:http';
import { RequestRefused } from './request.ts';

/** Throws a `RequestRefused` when the body is too large or incomplete. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
    }
  } catch {
    throw new RequestRefused(400);
  }
  if (length > maxBytes) throw new RequestRefused(413, `A body may have ${maxBytes} bytes.`);
  return Buffer.concat(chunks);
}
