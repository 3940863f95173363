// Keeps an account registered: renews in time, tries again with growing pauses, and takes itself off at the end.

import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { type Credentials, DigestClient } from '../auth/digest-client.ts';
import { type Guard, guardOf } from '../guard.ts';
import { checkText, uriOf } from '../message/caller-values.ts';
import { HeaderFields } from '../message/header-fields.ts';
import { noBody, type SipRequest, type SipResponse } from '../message/message.ts';
import { parseNameAddresses } from '../message/name-address.ts';
import { parseWhole } from '../message/tokens.ts';
import { parseUri } from '../message/uri.ts';
import type { Cancel } from '../transaction/timers.ts';
import { newTag } from '../transaction/transaction-layer.ts';
import type { Flow } from '../transport/network.ts';
import { endingOf } from './call-events.ts';
import type { Endpoint, Outcome, Sending } from './endpoint.ts';
import { destinationOf, domainOf, type Trunk } from './trunk.ts';

export type AccountOptions = {
  readonly trunk: Trunk;
  readonly credentials: Credentials;
  /** The account, or its whole SIP URI; the name of the credentials when absent. */
  readonly user?: string;
};

export type RegistrationOptions = AccountOptions & {
  /** How long a registration should last, in seconds; the server may shorten it. 600 when absent. */
  readonly expiresS?: number;
};

export type RegistrationEvents = {
  /** After every registration and renewal. */
  registered: [{ readonly expiresS: number }];
  /** After every attempt that failed; another one follows. */
  failed: [{ readonly status?: number; readonly reason: string; readonly retryInMs: number }];
};

const firstPauseMs = 2_000;
const longestPauseMs = 60_000;
const longestExpiresS = 86_400;
/** The answers to a wrong password or an unknown account. */
const refusals: readonly number[] = [401, 403, 407];
/** Servers ban an address after some wrong passwords, mostly five in ten minutes. */
const refusedPausesMs: readonly number[] = [15_000, 60_000];
const longestRefusedPauseMs = 300_000;

export class Registration extends EventEmitter<RegistrationEvents> {
  readonly #endpoint: Endpoint;
  readonly #options: RegistrationOptions;
  readonly #digest: DigestClient;
  readonly #draft: SipRequest;
  readonly #user: string;
  #expiresS: number;
  #seq = 0;
  #failures = 0;
  /** How often the account was refused in a row. */
  #refusals = 0;
  /** Whether the last answer showed another address than the one that was registered. */
  #hasMoved = false;
  /** Whether the last answer asked for a longer time. */
  #wasTooShort = false;
  #isRegistered = false;
  #isClosed = false;
  #flow: Flow | undefined;
  #cancel: Cancel = () => {};
  /** The attempt under way, after which the next one may begin. */
  #attempt: Promise<void> = Promise.resolve();

  constructor(endpoint: Endpoint, options: RegistrationOptions) {
    super();
    this.#endpoint = endpoint;
    this.#options = options;
    this.#digest = new DigestClient(options.credentials);
    this.#expiresS = options.expiresS ?? 600;
    this.#draft = registerDraft(options);
    this.#user = parseUri(this.#draft.to.uri)?.user ?? 'anonymous';
  }

  get isRegistered(): boolean {
    return this.#isRegistered;
  }

  start(): void {
    this.#plan(0);
  }

  /** Renews soon when the connection is gone on which the server would send calls. */
  onClosed(flow: Flow): void {
    if (flow !== this.#flow || this.#isClosed) return;
    this.#flow = undefined;
    this.#plan(firstPauseMs / 2);
  }

  /** Takes the account off the server, if it is registered, and ends. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancel();
    await this.#attempt;
    if (this.#isRegistered) await this.#send(0);
    this.#isRegistered = false;
  }

  #plan(ms: number): void {
    this.#cancel();
    this.#cancel = this.#endpoint.timers.after(ms, () => {
      const attempt = this.#attempt.then(() => this.#register());
      this.#attempt = attempt.catch(() => {});
      this.#guard()(() => attempt);
    });
  }

  /** An error on this side costs one attempt: the next one follows. */
  #guard(): Guard {
    return guardOf(`registration of ${this.#user}`, this.#endpoint.onFault, () => {
      if (!this.#isClosed) this.#plan(longestPauseMs);
    });
  }

  async #register(): Promise<void> {
    if (this.#isClosed) return;
    const before = await this.#contact();
    const outcome = await this.#send(this.#expiresS);
    const isMoved = before !== (await this.#contact());
    if (outcome.kind === 'response' && outcome.response.status < 300) this.#succeed(outcome.response, isMoved, before);
    else this.#fail(outcome);
  }

  /** The Contact as it would be sent now; the server's answers say how it sees us. */
  async #contact(): Promise<string | undefined> {
    try {
      this.#flow = await this.#endpoint.open({ destination: destinationOf(this.#options.trunk) }, this.#draft);
      return await this.#endpoint.contact(this.#flow, this.#user);
    } catch {
      return undefined;
    }
  }

  #send(expiresS: number): Promise<Outcome> {
    const { trunk } = this.#options;
    const nextSeq = () => {
      this.#seq += 1;
      return this.#seq;
    };
    const draft = {
      ...this.#draft,
      cseq: { number: nextSeq(), method: 'REGISTER' },
      headers: HeaderFields.of({ Expires: String(expiresS) }),
    };
    const switchToTcp = trunk.switchToTcp === true;
    const sending: Sending = {
      destination: destinationOf(trunk),
      switchToTcp,
      digest: this.#digest,
      nextSeq,
      contactUser: this.#user,
    };
    return this.#endpoint.send(draft, sending);
  }

  #succeed(response: SipResponse, isMoved: boolean, contact: string | undefined): void {
    const expiresS = this.#grantedBy(response, contact);
    if (expiresS === 0) {
      this.#retry({ status: response.status, reason: 'registered for no time (expires=0)' });
      return;
    }
    this.#failures = 0;
    this.#refusals = 0;
    this.#isRegistered = true;
    this.emit('registered', { expiresS });
    if (this.#isClosed) return;
    // The address that the server sees became known by this answer only: calls would go to the other one. A server that sees
    // another one each time is told once.
    const isAgain = isMoved && !this.#hasMoved;
    this.#hasMoved = isMoved;
    this.#plan(isAgain ? 0 : Math.max(expiresS * 750, firstPauseMs));
  }

  /** The time of our own contact; where the server shows it otherwise, the shortest of the account's, which other phones share. */
  #grantedBy(response: SipResponse, contact: string | undefined): number {
    const contacts = response.headers.getAll('Contact').flatMap((value) => parseNameAddresses(value) ?? []);
    const ofAccount = contacts.filter(({ uri }) => parseUri(uri)?.user === this.#user);
    const ours = ofAccount.filter(({ uri }) => placeOf(uri) === placeOf(contact?.slice(1, -1) ?? ''));
    const otherwise = parseWhole(response.headers.get('Expires'), longestExpiresS) ?? this.#expiresS;
    const timesOf = (found: typeof contacts): readonly number[] =>
      found.map(({ parameters }) => parseWhole(parameters.get('expires'), longestExpiresS) ?? otherwise);
    if (ours.length > 0) return Math.max(...timesOf(ours));
    if (ofAccount.length === 0) return otherwise;
    const lasting = timesOf(ofAccount).filter((seconds) => seconds > 0);
    return lasting.length === 0 ? 0 : Math.min(...lasting);
  }

  #fail(outcome: Outcome): void {
    const response = outcome.kind === 'response' ? outcome.response : undefined;
    const shortest = parseWhole(response?.headers.get('Min-Expires'), longestExpiresS);
    const isTooShort = response?.status === 423 && shortest !== undefined && shortest > this.#expiresS;
    const isAskedAgain = this.#wasTooShort;
    this.#wasTooShort = isTooShort;
    if (isTooShort) this.#expiresS = shortest;
    if (isTooShort && !isAskedAgain) {
      this.#plan(0);
      return;
    }
    const retryAfterMs = response === undefined ? 0 : (endingOf(response).retryAfterS ?? 0) * 1_000;
    const reason = response?.reason ?? failureText(outcome);
    this.#retry({ ...(response && { status: response.status }), reason }, retryAfterMs);
  }

  #retry(failure: { readonly status?: number; readonly reason: string }, retryAfterMs = 0): void {
    const isRefused = refusals.includes(failure.status ?? 0);
    const pause = isRefused
      ? (refusedPausesMs[this.#refusals] ?? longestRefusedPauseMs)
      : Math.min(firstPauseMs * 2 ** this.#failures, longestPauseMs);
    const retryInMs = Math.max(pause, Math.min(retryAfterMs, longestExpiresS * 1_000));
    this.#failures += 1;
    if (isRefused) this.#refusals += 1;
    // What was refused is not sent once more before the server has asked for it again.
    if (isRefused) this.#digest.forget();
    this.#isRegistered = false;
    this.emit('failed', { ...failure, retryInMs });
    if (!this.#isClosed) this.#plan(retryInMs);
  }
}

/** The host and port of an address, by which the phones of one account differ. */
function placeOf(text: string): string | undefined {
  const uri = parseUri(text);
  return uri && `${uri.host.toLowerCase()}:${uri.port ?? 5060}`;
}

export function failureText(outcome: Outcome): string {
  if (outcome.kind === 'response') return outcome.response.reason;
  return outcome.failure === 'timeout' ? 'no response' : (outcome.error?.message ?? 'no connection');
}

/** A REGISTER without the parts that differ from one attempt to the next. */
export function registerDraft({ trunk, credentials, user }: AccountOptions): SipRequest {
  const domain = checkText('domain', domainOf(trunk));
  checkText('user name', credentials.username);
  const uri = uriOf('user', user ?? credentials.username, domain);
  return {
    kind: 'request',
    method: 'REGISTER',
    uri: `sip:${domain}`,
    maxForwards: 70,
    vias: [],
    from: { uri, parameters: new Map([['tag', newTag()]]) },
    to: { uri, parameters: new Map() },
    callId: randomUUID(),
    cseq: { number: 0, method: 'REGISTER' },
    headers: new HeaderFields(),
    body: noBody,
  };
}
