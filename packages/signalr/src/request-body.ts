// Reads the body of a request, within a limit.

import type { IncomingMessage } from 'node:http';
import { RequestRefused } from './request.ts';

/** All of it; throws a `RequestRefused` when it is too large, or broke off. */
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
