// Telephone calls by SIP: rings a person through a trunk, leads the conversation, and releases calls of a lost process.

import { setTimeout as pause } from 'node:timers/promises';
import {
  type AccountOptions,
  type Credentials,
  type Ended,
  type HangUpReason,
  MediaSession,
  type SavedCall,
  type Trunk,
  UserAgent,
} from '@tocsin/sip';
import type { CallMessage, CodeMessage, Delivery } from '../../domain/calls/delivery.ts';
import { spokenDigits } from '../../domain/calls/words/spoken-form.ts';
import { type SipSettings, sipProviders } from '../../domain/channels/kinds/sip.ts';
import type { Provider } from '../../domain/channels/provider.ts';
import { readSettings } from '../../domain/channels/settings.ts';
import { callEnded, notAccepted, type OpenProvider, type Report } from '../channel.ts';
import { isOfNetwork, type Reached } from '../network-problem.ts';
import { cancelled, type Failed, failedBy } from '../verdicts.ts';
import { acceptAnswer, followAnswers } from './accept-answer.ts';
import { connectTalk, endOnFault, type VoicePorts } from './connect-talk.ts';
import { answerText, internalFault, outcomeOf, unreached, unreachedText, unspeakable } from './outcomes.ts';
import { NoVoice } from './speech.ts';
import type { TalkEnd } from './talk.ts';
import { TrunkAgent } from './trunk-agent.ts';
import { TrunkRegistration } from './trunk-registration.ts';
import { voiceStages } from './voice-stages.ts';

const takenElsewhere = { sip: 200, text: 'Call completed elsewhere' };
const notAcceptable = { sip: 488, text: 'Not acceptable here' };
/** How long closing waits for peers to confirm that calls have ended. */
const longestGoodbyeMs = 2_000;
/** As the user agent says it. */
const silence = 'no response';
/** How often a code is read out. */
const codeReadings = 2;
/** A peer that does not answer must not keep the person from being called again. */
const releaseWithinMs = 5_000;

/** A call under way, before and after it is answered. */
type Line = {
  readonly media: MediaSession;
  readonly call: ReturnType<UserAgent['invite']>;
  readonly end: Promise<Ended>;
  /** Whether the call has ended by an error of this server. */
  hasFault(): boolean;
};

export class SipProvider implements OpenProvider {
  #settings: SipSettings;
  #credentials: Credentials | undefined;
  readonly #ports: VoicePorts;
  readonly #providerId: number;
  readonly #agents: TrunkAgent;
  /** Calls whose peers have not confirmed their end. */
  readonly #goodbyes = new Set<Promise<void>>();
  readonly #registration: TrunkRegistration;
  /** What was noted last of the voices, since the provider was opened or saved. */
  #voiceProblem: { readonly noted: string | undefined } | undefined;

  constructor(providerId: number, settings: SipSettings, password: string | undefined, ports: VoicePorts) {
    this.#settings = settings;
    this.#credentials = credentialsOf(settings, password);
    this.#ports = ports;
    this.#providerId = providerId;
    this.#agents = new TrunkAgent({
      ...{ providerId, ports },
      settings: () => this.#settings,
      trunk: () => this.#trunk(),
      isRegistered: () => this.#registration.isRegistering,
    });
    this.#registration = new TrunkRegistration({
      agent: () => this.#agent,
      account: () => this.#account(),
      onTrouble: ports.onTrouble,
    });
  }

  get #agent(): Promise<UserAgent> {
    return this.#agents.current;
  }

  /** For calls from now on; those under way go on as they began. */
  change({ settings }: Provider, { password }: Readonly<Record<string, string>>): void {
    const before = JSON.stringify(this.#account());
    this.#settings = readSettings(sipProviders.fields, settings).values;
    this.#credentials = credentialsOf(this.#settings, password);
    this.#voiceProblem = undefined;
    const hasOtherAgent = this.#agents.followSettings();
    if (hasOtherAgent || before !== JSON.stringify(this.#account())) this.#registration.follow();
  }

  async deliver(message: CallMessage, report: Report, signal: AbortSignal): Promise<Delivery> {
    const before = await this.#ports.conversations.begin(message);
    if (before !== undefined) return deliveryOf(before.isLockedOut ? 'locked-out' : 'hung-up', before.isHuman, []);
    if (signal.aborted) return cancelled;
    const mute = await this.#ports.speech.check(signal).then(() => undefined, speechFailure);
    if (signal.aborted) return cancelled;
    if (mute?.fault !== undefined) return mute;
    const line = await this.#dial(message.address).catch((error: unknown) => this.#unreached(error));
    if ('kind' in line) return line;
    const { call } = line;
    const abort = (): void => this.#hangUp(line, signal.reason === callEnded ? takenElsewhere : undefined);
    signal.addEventListener('abort', abort, { once: true });
    call.once('trying', () => report({ kind: 'accepted', ref: refOf(call.save()) }));
    call.once('ringing', () => {
      report({ kind: 'accepted', ref: refOf(call.save()) });
      report({ kind: 'ringing' });
    });
    try {
      const failed = await Promise.race([this.#answeredOrFailed(line), aborted(signal)]);
      if (failed === 'aborted') return signal.reason === notAccepted ? unreached(silence, this.#pbx) : cancelled;
      if (failed !== undefined) return failed;
      report({ kind: 'accepted', ref: refOf(call.save()) });
      report({ kind: 'answered', ref: refOf(call.save()) });
      signal.removeEventListener('abort', abort);
      return await this.#talk(message, line, signal);
    } finally {
      signal.removeEventListener('abort', abort);
      this.#release(line);
    }
  }

  #release(line: Line): void {
    this.#hangUp(line);
    line.media.close();
  }

  /** Hangs up without waiting for a peer that may be gone; closing the provider waits a little. */
  #hangUp({ call }: Line, reason?: HangUpReason): void {
    const goodbye: Promise<void> = call
      .hangUp(reason)
      .catch(this.#ports.onTrouble)
      .finally(() => this.#goodbyes.delete(goodbye));
    this.#goodbyes.add(goodbye);
  }

  /** Resolves with the outcome of a call that came to nothing; with undefined when somebody answered and can be spoken to. */
  #answeredOrFailed(line: Line): Promise<Failed | undefined> {
    const { call, media, end } = line;
    const answered = new Promise<Failed | undefined>((resolve) => {
      call.once('answered', ({ description }) => {
        const problem = acceptAnswer(media, description);
        if (problem !== undefined) this.#hangUp(line, notAcceptable);
        resolve(problem === undefined ? undefined : unspeakable(problem));
      });
    });
    return Promise.race([answered, end.then((ended) => outcomeOf(ended, this.#pbx))]);
  }

  /** A telephone cannot be asked: the far end is released, so that the person can be called again. */
  async ask({ providerRef }: CallMessage): Promise<undefined> {
    const saved = savedOf(providerRef);
    if (saved === undefined) return undefined;
    const agent = await this.#agentFor(saved);
    try {
      const released = agent.releaseCall(saved, { trunk: this.#trunk(), ...this.#withCredentials() });
      await Promise.race([released, pause(releaseWithinMs, undefined, { ref: false })]);
    } finally {
      if (agent !== (await this.#agent)) await agent.close();
    }
    return undefined;
  }

  /** A trunk without a voice is of no use: the speech is checked as well. */
  async check(signal: AbortSignal): Promise<void> {
    this.#noteVoice(await this.#ports.speech.check(signal));
    const { isAlive, status, reason } = await (await this.#agent).ask(this.#trunk());
    if (!isAlive) throw new Error(status === undefined ? unreachedText(reason, this.#pbx) : answerText(status, reason));
    const registrationProblem = await this.#findRegistrationProblem();
    if (registrationProblem !== undefined) throw new Error(registrationProblem);
    // A port that was taken is asked for again.
    if (this.#agents.retryPort()) this.#registration.follow();
  }

  #noteVoice(problem: string | undefined): void {
    if (this.#voiceProblem !== undefined && this.#voiceProblem.noted === problem) return;
    this.#voiceProblem = { noted: problem };
    this.#ports.note?.(this.#providerId, 'voice', problem);
  }

  /** People are called all the same while a voice is missing or nobody can ring in. */
  async checkReplies(signal: AbortSignal): Promise<void> {
    const problem = await this.#ports.speech.check(signal, 'now');
    this.#noteVoice(problem);
    if (problem !== undefined) throw new Error(problem);
    await this.#agent;
    if (this.#agents.ringInProblem !== undefined) throw new Error(this.#agents.ringInProblem);
  }

  /** The audio of a call is in this process. */
  survivesShutdown(): boolean {
    return false;
  }

  /** Rings the number and reads the code twice to whoever picks up. */
  async sendCode({ address, text, language }: CodeMessage, signal: AbortSignal): Promise<Delivery> {
    const line = await this.#dial(address).catch((error: unknown) => this.#unreached(error));
    if ('kind' in line) return line;
    const began = performance.now();
    const abort = (): void => this.#hangUp(line);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const failed = await this.#answeredOrFailed(line);
      if (failed !== undefined) return unreadCode(failed, performance.now() - began);
      const samples = await this.#ports.speech.say(text.replace(/\b\d{6}\b/, spokenDigits), language, signal);
      const isOver = line.end.then(() => true);
      for (let reading = 0; reading < codeReadings; reading++)
        if ((await Promise.race([line.media.play(samples), isOver])) === true) break;
      if (line.hasFault()) return internalFault;
      return { kind: 'delivered', detail: 'read out on the telephone' };
    } finally {
      signal.removeEventListener('abort', abort);
      this.#release(line);
    }
  }

  setHeld(isHeld: boolean): void {
    this.#registration.setHeld(isHeld);
  }

  async close(): Promise<void> {
    this.#registration.close();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, longestGoodbyeMs);
    await Promise.race([Promise.all(this.#goodbyes), late]);
    clearTimeout(timer);
    await this.#agents.close();
  }

  #trunk(): Trunk {
    const { host, port, transport, domain } = this.#settings;
    return {
      host,
      protocol: transport,
      ...(port === undefined ? {} : { port }),
      ...(domain === undefined ? {} : { domain }),
    };
  }

  get #pbx(): Reached {
    const { host, port, transport } = this.#settings;
    const withoutTls = 'try another port, or the transport tcp or udp';
    return { host, port: port ?? (transport === 'tls' ? 5061 : 5060), withoutTls };
  }

  /** A fault of the network is an outcome; any other error is one of the program. */
  #unreached(error: unknown): Delivery {
    if (!isOfNetwork(error)) throw error;
    return unreached(error, this.#pbx);
  }

  #withCredentials(): { readonly credentials?: Credentials } {
    return this.#credentials === undefined ? {} : { credentials: this.#credentials };
  }

  async #dial(address: string): Promise<Line> {
    const agent = await this.#agent;
    const { user, displayName, dialPrefix, ringSeconds } = this.#settings;
    const trunk = this.#trunk();
    const media = await MediaSession.open({ address: await agent.localAddressFor(trunk) });
    try {
      const call = agent.invite({
        to: dialPrefix === undefined ? address : `${dialPrefix}${address.replace(/^\+/, '')}`,
        from: user,
        trunk,
        ...this.#withCredentials(),
        ...(displayName === '' ? {} : { displayName }),
        offer: media.offer(),
        ringTimeoutMs: ringSeconds * 1_000,
        onOffer: (offer) => (offer === undefined ? media.offer() : media.answer(offer)),
      });
      let hasFault = false;
      const end = new Promise<Ended>((resolve) =>
        call.once('ended', (ended) => {
          hasFault = ended.by === 'fault';
          resolve(ended);
        }),
      );
      endOnFault(call, media, this.#ports.onTrouble);
      followAnswers(call, media);
      // Early media opens the way through a NAT; a description that cannot be used is refused with the answer.
      call.on('ringing', ({ description }) => void (description && acceptAnswer(media, description)));
      return { media, call, end, hasFault: () => hasFault };
    } catch (error) {
      media.close();
      throw error;
    }
  }

  async #talk({ attemptId }: CallMessage, line: Line, signal: AbortSignal): Promise<Delivery> {
    const { conversations, onTrouble } = this.#ports;
    const { talk, sounds, stopNews } = connectTalk(this.#ports, line, attemptId);
    const onAbort = (): void => void (signal.reason === callEnded ? talk.noteNews().catch(onTrouble) : talk.hangUp());
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const how = await talk.run().catch(speechFailure);
      if (typeof how === 'object') return how;
      const { isHuman } = await conversations.ended(attemptId);
      if (line.hasFault()) return internalFault;
      for (const failure of sounds.failures) onTrouble(new Error(failure));
      return deliveryOf(how, isHuman, sounds.failures);
    } finally {
      stopNews();
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** An INVITE that was not answered can be cancelled from the same port alone, and some peers confirm the end to that port alone. */
  async #agentFor(saved: SavedCall): Promise<UserAgent> {
    const port = Number(/:(\d{1,5})(?=;|$)/.exec(saved.via ?? '')?.[1] ?? 0);
    if (port === 0 || this.#settings.transport !== 'udp') return this.#agent;
    const agent = await this.#agent;
    const address = (await agent.localAddressFor(this.#trunk())).includes(':') ? '::' : '0.0.0.0';
    return UserAgent.start({ listen: [{ protocol: 'udp', address, port }] }).catch(() => agent);
  }

  async #findRegistrationProblem(): Promise<string | undefined> {
    if (!this.#settings.register) return undefined;
    const account = this.#account();
    if (account === undefined) return `the account ${this.#settings.user} cannot be registered without a password`;
    const refusal = await this.#registration.findRefusal(account);
    return refusal && this.#refusedAccount(refusal);
  }

  #account(): AccountOptions | undefined {
    if (this.#credentials === undefined || !this.#settings.register) return undefined;
    return { user: this.#settings.user, trunk: this.#trunk(), credentials: this.#credentials };
  }

  #refusedAccount({ status, reason }: { readonly status?: number; readonly reason: string }): string {
    if (status === undefined) return unreachedText(reason, this.#pbx);
    return `the PBX does not register the account ${this.#settings.user}: ${status} ${reason}`;
  }
}

function credentialsOf({ authUser, user }: SipSettings, password: string | undefined): Credentials | undefined {
  return password === undefined ? undefined : { username: authUser ?? user, password };
}

/** Whoever waits for the code is told for how long the telephone rang. */
function unreadCode(outcome: Extract<Delivery, { kind: 'failed' }>, rangMs: number): Delivery {
  const hasRungInVain = outcome.outcome === 'cancelled' || outcome.outcome === 'noAnswer';
  if (!hasRungInVain) return outcome;
  return failedBy(voiceStages.ringing.answers.timeout, `nobody answered within ${Math.round(rangMs / 1000)} s`);
}

/** Without a voice nobody is rung, and nobody has been reached: the call is made when there is one again. */
function speechFailure(error: unknown): Failed {
  const reason = error instanceof Error ? error.message : 'the conversation failed';
  const { answers, other } = voiceStages.talking;
  return error instanceof NoVoice
    ? failedBy(answers.noVoice, `nothing can be said: ${reason}`)
    : failedBy(other, reason);
}

/** Resolves when the signal aborts. */
function aborted(signal: AbortSignal): Promise<'aborted'> {
  if (signal.aborted) return Promise.resolve('aborted');
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted'), { once: true }));
}

function deliveryOf(how: TalkEnd, isHuman: boolean, failures: readonly string[]): Delivery {
  if (how === 'locked-out') {
    const reason = 'wrong PIN three times';
    return { ...failedBy(voiceStages.talking.answers.lockedOut, reason), failure: 'wrong-pin' };
  }
  if (isHuman) return { kind: 'delivered', detail: ['answered', ...failures].join('; ') };
  if (how === 'hung-up') return { kind: 'delivered', detail: 'answered, and hung up without a key' };
  const reason = 'somebody or something answered and pressed no key';
  return failedBy(voiceStages.talking.answers.noKey, reason);
}

function refOf(saved: SavedCall | undefined): string {
  return JSON.stringify(saved ?? null);
}

function savedOf(ref: string | undefined): SavedCall | undefined {
  return ref === undefined ? undefined : ((JSON.parse(ref) as SavedCall | null) ?? undefined);
}
