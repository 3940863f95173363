// Webhooks: posts each message as signed JSON to the URL of the person, and checks the signature of what receivers report.

import type { Clock } from '../../clock.ts';
import type { CallMessage, CodeMessage, Delivery } from '../../domain/calls/delivery.ts';
import { shortestSecret, type WebhookSettings } from '../../domain/channels/kinds/webhook.ts';
import { webhookAddressReason } from '../../domain/channels/webhook-address.ts';
import { storedReason } from '../../domain/channels/words/provider-reason.ts';
import type { OpenProvider, Report, SentReport } from '../channel.ts';
import { OutsideError, postOutside } from '../outbound-http.ts';
import { cancelled } from '../verdicts.ts';
import { codeBody, messageBody } from './message-body.ts';
import { outcomeOf, refusedAddress, unreached } from './outcomes.ts';
import { isSigned, type SigningSecrets, signatureHeader, signatureOf } from './signature.ts';

const timeoutMs = 5_000;
const mostBytes = 65_536;

export class WebhookProvider implements OpenProvider {
  readonly #settings: WebhookSettings;
  readonly #secrets: SigningSecrets;
  readonly #clock: Clock;

  constructor(settings: WebhookSettings, { secret, oldSecret }: Readonly<Record<string, string>>, clock: Clock) {
    if (secret === undefined) throw new Error(storedReason({ code: 'secret-missing', name: 'secret' }));
    if (secret.length < shortestSecret)
      throw new Error(storedReason({ code: 'secret-short', name: 'secret', least: shortestSecret }));
    this.#settings = settings;
    this.#secrets = oldSecret === undefined ? [secret] : [secret, oldSecret];
    this.#clock = clock;
  }

  async deliver(message: CallMessage, report: Report, signal: AbortSignal): Promise<Delivery> {
    const key = String(message.attemptId);
    const delivery = await this.#post(message.address, messageBody(message, this.#clock.now()), key, signal);
    if (delivery.kind === 'delivered') report({ kind: 'accepted', ref: key });
    return delivery;
  }

  sendCode(message: CodeMessage, signal: AbortSignal): Promise<Delivery> {
    return this.#post(message.address, codeBody(message, this.#clock.now()), undefined, signal);
  }

  /** Each address is a receiver of its own, so there is nothing to ask: with a secret, it can be used. */
  async check(): Promise<void> {}

  acceptsReport({ headers, body }: SentReport): boolean {
    const header = headers[signatureHeader];
    return isSigned(typeof header === 'string' ? header : undefined, body, this.#secrets, this.#clock.now());
  }

  survivesShutdown(): boolean {
    return false;
  }

  async close(): Promise<void> {}

  async #post(url: string, body: string, key: string | undefined, signal: AbortSignal): Promise<Delivery> {
    const { allowPrivate, allowHttp } = this.#settings;
    const problem = webhookAddressReason(url, this.#settings);
    if (problem !== undefined) return refusedAddress(problem);
    const now = this.#clock.now();
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Tocsin',
      [signatureHeader]: signatureOf(body, this.#secrets, now),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    const limits = { url, allowsPrivate: allowPrivate, allowsHttp: allowHttp, timeoutMs, mostBytes };
    try {
      const { status, retryAfter } = await postOutside({ ...limits, headers, body, signal });
      return outcomeOf(status, retryAfter, now);
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      if (signal.aborted) return cancelled;
      if (!error.isRefused) return unreached(error.why);
      return refusedAddress(error.why.code === 'outside-private' ? { code: 'outside-private-webhook' } : error.why);
    }
  }
}
