// The baseline: a bare HTTP server that parses the JSON body, responds with a number, and does nothing else.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let responses = 0;
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(200, { 'content-type': 'application/json' }).end(String(++responses));
  });
});
server.listen(0, '127.0.0.1', () => console.log(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`));
