// A receiver of webhooks under the control of a test: an HTTP server that answers, holds or refuses requests.

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { Answer, TestApp } from '../site/app.ts';
import type { Caller } from '../site/site-caller.ts';
import { executeSql } from '../stores/execute-sql.ts';

export const webhookSecret = 'a secret of the receiver 4711';

export type HookMessage = {
  readonly attempt: number;
  readonly text: string;
  readonly replyCode: string;
  readonly items: readonly { readonly alarmId: number | null }[];
};

/** A status, or `hold`: no response before the test lets go. */
export type HookAnswer = number | 'hold';

export class WebhookReceiver {
  readonly messages: { readonly path: string; readonly key: string; readonly body: HookMessage; isCut: boolean }[] = [];
  /** Headers and bodies, as they came. */
  readonly raw: string[] = [];
  readonly port: number;
  answer: HookAnswer;
  /** Headers of its responses. */
  headers: Readonly<Record<string, string>> = {};
  mostAtOnce = 0;
  readonly #held = new Set<ServerResponse>();

  private constructor(port: number, answer: HookAnswer) {
    this.port = port;
    this.answer = answer;
  }

  static async start(t: TestContext, answer: HookAnswer): Promise<WebhookReceiver> {
    const server = createServer((request, response) => {
      void text(request).then((body) => receiver.#take(request.url ?? '', request.headers, body, response));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => t.after(() => server.closeAllConnections()));
    t.after(() => server.close());
    const receiver = new WebhookReceiver((server.address() as AddressInfo).port, answer);
    return receiver;
  }

  /** The body of a provider that may request this receiver. */
  provider(): object {
    const settings = { allowHttp: true, allowPrivate: true, ports: [this.port] };
    return { channel: 'webhook', kind: 'webhook', settings, secrets: { secret: webhookSecret } };
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}/${path}`;
  }

  /** Answers the requests that are held. */
  letGo(status = 200): void {
    for (const response of this.#held) response.writeHead(status, this.headers).end();
    this.#held.clear();
  }

  #take(path: string, headers: Readonly<Record<string, unknown>>, body: string, response: ServerResponse): void {
    this.raw.push(JSON.stringify(headers), body);
    const message = { path, key: String(headers['idempotency-key']), body: JSON.parse(body), isCut: false };
    this.messages.push(message);
    this.#held.add(response);
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#held.size);
    response.on('close', () => {
      message.isCut = !response.writableFinished;
      this.#held.delete(response);
    });
    if (this.answer !== 'hold') this.letGo(this.answer);
  }
}

/** Takes the secrets of a provider away, as an earlier version stored one: it cannot sign. */
export function removeSecrets(app: TestApp, providerId: number): Promise<void> {
  return executeSql(app, `UPDATE providers SET secrets = '{}' WHERE id = ${providerId}`);
}

/** Sends a report as a receiver does, signed at this time of the server's clock. */
export function sendReport(
  caller: Caller,
  providerId: number,
  report: object,
  { secret = webhookSecret, at = caller.app.clock.now() }: { secret?: string; at?: number } = {},
): Promise<Answer> {
  const body = JSON.stringify(report);
  const time = String(Math.floor(at / 1000));
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'tocsin-signature': `t=${time},v1=${signature}` };
  return caller.app.request('POST', `/api/v1/providers/${providerId}/reports`, { body, headers });
}
