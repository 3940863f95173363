// Watches a trunk by OPTIONS: any final answer means that it is alive, except those that say it is not.

import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { DigestClient } from '../auth/digest-client.ts';
import { guardOf } from '../guard.ts';
import { uriOf } from '../message/caller-values.ts';
import { HeaderFields } from '../message/header-fields.ts';
import { noBody, type SipRequest } from '../message/message.ts';
import { sdpType } from '../message/session-description.ts';
import type { Cancel, Timers } from '../transaction/timers.ts';
import { newTag } from '../transaction/transaction-layer.ts';
import type { Endpoint, Outcome } from './endpoint.ts';
import { failureText } from './registration.ts';
import { destinationOf, domainOf, type Trunk } from './trunk.ts';

export type SupervisionOptions = {
  readonly trunk: Trunk;
  /** The pause between two checks; 30 s when absent. */
  readonly intervalMs?: number;
  /** How long an answer may take; 5 s when absent. */
  readonly timeoutMs?: number;
};

export type Health = { readonly isAlive: boolean; readonly status?: number; readonly reason: string };

/** Each is reported when it begins. */
export type SupervisionEvents = { alive: [Health]; dead: [Health] };

export class Supervision extends EventEmitter<SupervisionEvents> {
  readonly #endpoint: Endpoint;
  readonly #options: SupervisionOptions;
  #health: Health | undefined;
  #isClosed = false;
  #cancel: Cancel = () => {};

  constructor(endpoint: Endpoint, options: SupervisionOptions) {
    super();
    this.#endpoint = endpoint;
    this.#options = options;
    uriOf('domain', 'supervision', domainOf(options.trunk));
  }

  /** The result of the last check; undefined before the first. */
  get health(): Health | undefined {
    return this.#health;
  }

  start(): void {
    this.#plan(0);
  }

  #plan(ms: number): void {
    const guard = guardOf(`supervision of ${this.#options.trunk.host}`, this.#endpoint.onFault);
    this.#cancel = this.#endpoint.timers.after(ms, () => guard(() => this.#run()));
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  async #run(): Promise<void> {
    try {
      await this.check();
    } finally {
      if (!this.#isClosed) this.#plan(this.#options.intervalMs ?? 30_000);
    }
  }

  /** Checks now. */
  async check(): Promise<Health> {
    const health = healthOf(await this.#ask());
    const isNews = this.#health?.isAlive !== health.isAlive;
    this.#health = health;
    if (isNews && !this.#isClosed) this.emit(health.isAlive ? 'alive' : 'dead', health);
    return health;
  }

  async #ask(): Promise<Outcome> {
    const { trunk, timeoutMs } = this.#options;
    const asked = this.#endpoint.send(optionsDraft(trunk), {
      destination: destinationOf(trunk),
      digest: new DigestClient(undefined),
      nextSeq: () => 2,
      contactUser: 'supervision',
    });
    return inTime(asked, this.#endpoint.timers, timeoutMs);
  }
}

/** The outcome, or a time-out when it takes too long. */
export async function inTime(asked: Promise<Outcome>, timers: Timers, timeoutMs = 5_000): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const cancel = timers.after(timeoutMs, () => resolve({ kind: 'failure', failure: 'timeout' }));
  const outcome = await Promise.race([asked, promise]);
  cancel();
  return outcome;
}

/** The answers of a proxy that cannot reach what is behind it. */
const deadStatuses: readonly number[] = [408, 503];

function healthOf(outcome: Outcome): Health {
  if (outcome.kind === 'failure') return { isAlive: false, reason: failureText(outcome) };
  const { status, reason } = outcome.response;
  return { isAlive: !deadStatuses.includes(status), status, reason };
}

function optionsDraft(trunk: Trunk): SipRequest {
  const uri = `sip:${domainOf(trunk)}`;
  return {
    kind: 'request',
    method: 'OPTIONS',
    uri,
    maxForwards: 70,
    vias: [],
    from: { uri: `sip:supervision@${domainOf(trunk)}`, parameters: new Map([['tag', newTag()]]) },
    to: { uri, parameters: new Map() },
    callId: randomUUID(),
    cseq: { number: 1, method: 'OPTIONS' },
    headers: HeaderFields.of({ Accept: sdpType }),
    body: noBody,
  };
}
