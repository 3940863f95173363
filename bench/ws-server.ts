// The baseline of the hub: a bare WebSocket server that sends one prepared buffer to all clients, and does nothing
// else.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

let prepared = Buffer.alloc(0);
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === '/prepare') prepared = Buffer.concat(chunks);
    else for (const client of webSockets.clients) client.send(prepared, { binary: false });
    response.writeHead(200).end();
  });
});
const webSockets = new WebSocketServer({ server, perMessageDeflate: false });
// Replies to the first message as a hub does, so that the clients of both servers exchange the same messages.
webSockets.on('connection', (client) => client.on('message', replyToHandshake));

function replyToHandshake(this: WebSocket): void {
  this.send('{}\x1e');
}

server.listen(0, '127.0.0.1', () => console.log(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`));
