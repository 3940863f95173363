// Plain HTTP responses of the classic protocol.

import type { ServerResponse } from 'node:http';

export const jsonType = 'application/json; charset=UTF-8';
export const scriptType = 'application/javascript; charset=UTF-8';

export function reply(response: ServerResponse, type: string, text: string): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}
