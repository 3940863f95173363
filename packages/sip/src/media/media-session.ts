// One call's audio: a UDP port, the offer and answer for it, prompts out, digits and sound in.

import { randomBytes } from 'node:crypto';
import type { RemoteInfo, Socket } from 'node:dgram';
import { EventEmitter } from 'node:events';
import { type Guard, guardOf } from '../guard.ts';
import { type AudioAgreement, AudioNegotiation, type Direction } from '../sdp/audio-negotiation.ts';
import { frameClock, frameMs } from './frame-clock.ts';
import { decode } from './g711.ts';
import { LevelMeter } from './level-meter.ts';
import { type OrderedPacket, PacketOrder } from './packet-order.ts';
import { type Endpoint, RemoteSource } from './remote-source.ts';
import { parseRtp, type RtpPacket } from './rtp.ts';
import { type PlayEnd, RtpSender } from './rtp-sender.ts';
import { EventReceiver, isKey, type Key, type KeyEvent } from './telephone-events.ts';
import { ToneDetector } from './tone-detector.ts';
import { openUdpPort, type PortRange } from './udp-port.ts';

export type MediaOptions = {
  /** The address in our session descriptions, which the peer sends to. */
  readonly address: string;
  /** The address to bind to, when it is another: behind a NAT, or all addresses. */
  readonly bindAddress?: string;
  /** Unset: any free port. */
  readonly ports?: PortRange;
  /** Without a packet for this long, `rtpLost` is emitted. */
  readonly rtpLostAfterMs?: number;
};

export type MediaEvents = {
  /** A key went down. Comes once per press and source, as soon as its first packet. */
  keyPressed: [key: Key, source: 'event' | 'tone'];
  keyReleased: [key: Key, durationMs: number];
  /** How loud the last 200 ms were, in decibels below full scale; undefined when nothing came. */
  level: [decibels: number | undefined];
  /** Sound in the order it was sent, with the timestamp of its first sample. */
  audio: [samples: Int16Array, timestamp: number];
  /** No packet came for `rtpLostAfterMs`, although nobody holds the call. Once, until packets come again. */
  rtpLost: [];
  /** The network refuses what we send; once per session. */
  sendFailed: [error: Error];
  /** An error on this side, in a listener or in the session itself, has closed the session: the call cannot go on. */
  failed: [error: unknown];
};

const framesPerLevel = 200 / frameMs;
const defaultRtpLostMs = 10_000;
const defaultKeyMs = 100;

/**
 * The audio of one call.
 *
 * The caller's side: `offer()` into the INVITE, `accept()` with the answer of a 183 or 200. The called side: `answer()` with
 * the offer of the INVITE, into the 200. Either may happen again in mid-call: a hold stops what is sent and delays prompts.
 * From the first agreement on a packet goes out every 20 ms, silence where there is no prompt, until `close()`.
 */
export class MediaSession extends EventEmitter<MediaEvents> {
  readonly #socket: Socket;
  readonly #guard: Guard;
  readonly #negotiation: AudioNegotiation;
  readonly #sender = new RtpSender();
  readonly #order = new PacketOrder();
  readonly #events = new EventReceiver();
  readonly #tones = new ToneDetector();
  readonly #meter = new LevelMeter();
  readonly #rtpLostAfterMs: number;
  #agreement: AudioAgreement | undefined;
  #source: RemoteSource | undefined;
  #unsubscribe: (() => void) | undefined;
  #frames = 0;
  #lastPacketAt = 0;
  #isLost = false;
  #hasSound = false;
  #hasHeardEvent = false;
  #hasFailed = false;
  #isClosed = false;

  private constructor(socket: Socket, options: MediaOptions) {
    super();
    this.#socket = socket;
    this.#rtpLostAfterMs = options.rtpLostAfterMs ?? defaultRtpLostMs;
    const sessionId = String(randomBytes(6).readUIntBE(0, 6));
    this.#negotiation = new AudioNegotiation({ address: options.address, port: socket.address().port }, sessionId);
    this.#guard = guardOf(
      'audio',
      (error) => this.emit('failed', error),
      () => this.close(),
    );
    socket.on('message', (bytes, source) => this.#guard(() => this.#onDatagram(bytes, source)));
    socket.on('error', (error) => this.#guard(() => this.#onSendFailure(error)));
  }

  static async open(options: MediaOptions): Promise<MediaSession> {
    return new MediaSession(await openUdpPort(options.bindAddress ?? options.address, options.ports), options);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** Undefined before the first agreement. */
  get agreement(): AudioAgreement | undefined {
    return this.#agreement;
  }

  /** Where we send: the negotiated address, or the one that the peer's packets came from. */
  get target(): Endpoint | undefined {
    return this.#source?.target;
  }

  /** When the last packet came from a peer that has sent sound, by the clock of `performance`; now while the call is held. */
  get lastHeardAt(): number | undefined {
    return this.#hasSound ? this.#lastPacketAt : undefined;
  }

  offer(direction: Direction = 'sendrecv'): string {
    return this.#negotiation.offer(direction);
  }

  /** Returns the answer to an offer of the peer. Throws an SdpError, and leaves everything as it was, when there is none. */
  answer(offer: string): string {
    const { description, agreement } = this.#negotiation.answer(offer);
    this.#apply(agreement);
    return description;
  }

  /** Takes the peer's answer to our last offer; throws an SdpError when it cannot be used. */
  accept(answer: string): void {
    this.#apply(this.#negotiation.accept(answer));
  }

  /**
   * Plays samples of 8 kHz after what is under way is interrupted. Resolves when the last frame was sent or when the prompt
   * was stopped; a prompt begun at once then follows without a gap.
   */
  async play(samples: Int16Array): Promise<PlayEnd> {
    if (this.#isClosed) return 'interrupted';
    return samples.length === 0 ? 'ended' : this.#sender.play(samples);
  }

  /** Stops the prompt with the next frame, as a key does that is pressed into it. */
  stop(): void {
    this.#sender.stop();
  }

  /** Sends keys as telephone events. Throws when the text holds another character, or the peer takes no events. */
  async sendKeys(text: string, durationMs: number = defaultKeyMs): Promise<PlayEnd> {
    const keys = [...text].filter(isKey);
    if (keys.length !== text.length || keys.length === 0) throw new Error(`"${text}" is no sequence of keys`);
    if (this.#agreement?.eventType === undefined) throw new Error('the other side takes no telephone events');
    return this.#isClosed ? 'interrupted' : this.#sender.sendKeys(keys, durationMs);
  }

  /** Ends what is played as interrupted and frees the port. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#unsubscribe?.();
    this.#sender.close();
    this.#socket.close();
  }

  #apply(agreement: AudioAgreement): void {
    const before = this.#agreement?.remote;
    const { remote } = agreement;
    if (before === undefined || before.address !== remote.address || before.port !== remote.port)
      this.#source = new RemoteSource(remote);
    this.#agreement = agreement;
    this.#lastPacketAt = performance.now();
    if (!this.#isClosed) this.#unsubscribe ??= frameClock.subscribe((now) => this.#guard(() => this.#onFrame(now)));
  }

  #onFrame(now: number): void {
    this.#send();
    this.#take(this.#order.expire(now), now);
    this.#tell(this.#events.expire(now), 'event');
    if (++this.#frames % framesPerLevel === 0) this.emit('level', this.#meter.read());
    const isHeld = this.#agreement?.receives !== true || !this.#agreement.sends;
    if (isHeld) this.#lastPacketAt = now;
    const isLost = now - this.#lastPacketAt > this.#rtpLostAfterMs;
    if (isLost && !this.#isLost) this.emit('rtpLost');
    this.#isLost = isLost;
  }

  #send(): void {
    const target = this.#source?.target;
    if (this.#agreement === undefined || target === undefined || this.#isClosed) return;
    if (!this.#agreement.sends) {
      this.#sender.skip();
      return;
    }
    const packet = this.#sender.next(this.#agreement);
    this.#socket.send(packet, target.port, target.address, (error) => {
      if (error !== null) this.#guard(() => this.#onSendFailure(error));
    });
  }

  #onSendFailure(error: Error): void {
    if (this.#hasFailed || this.#isClosed) return;
    this.#hasFailed = true;
    this.emit('sendFailed', error);
  }

  #onDatagram(bytes: Uint8Array, { address, port }: RemoteInfo): void {
    const packet = parseRtp(bytes);
    const agreement = this.#agreement;
    if (packet === undefined || agreement === undefined) return;
    const now = performance.now();
    // Comfort noise, which nobody has agreed on, is a sign of life as well.
    if (!isAgreed(agreement, packet) && this.#source?.isLatched({ address, port }) === true) this.#lastPacketAt = now;
    if (!isAgreed(agreement, packet) || this.#source?.admits({ address, port }) !== true) return;
    this.#lastPacketAt = now;
    this.#take(this.#order.push(packet, now), now);
  }

  #take(ordered: readonly OrderedPacket[], now: number): void {
    for (const { packet, isNewStream } of ordered) {
      if (isNewStream) this.#tell(this.#events.restart(), 'event');
      if (this.#agreement?.receivedEventTypes.has(packet.payloadType))
        this.#tell(this.#events.push(packet.timestamp, packet.marker, packet.payload, now), 'event');
      else this.#hear(packet);
    }
  }

  /** Whether keys may come as events; until the first one does, they are heard as tones as well. */
  get hasKeyEvents(): boolean {
    return this.#agreement?.eventType !== undefined;
  }

  #hear({ payloadType, payload, timestamp }: RtpPacket): void {
    const codec = this.#agreement?.receivedCodecs.get(payloadType);
    if (codec === undefined) return;
    const samples = decode(codec, payload);
    this.#hasSound = true;
    this.#meter.push(samples);
    if (!this.hasKeyEvents || !this.#hasHeardEvent) this.#tell(this.#tones.push(samples), 'tone');
    this.emit('audio', samples, timestamp);
  }

  #tell(events: readonly KeyEvent[], source: 'event' | 'tone'): void {
    for (const event of events) {
      this.#hasHeardEvent ||= source === 'event';
      if (event.kind === 'pressed') this.emit('keyPressed', event.key, source);
      else this.emit('keyReleased', event.key, event.durationMs);
    }
  }
}

function isAgreed({ receivedCodecs, receivedEventTypes }: AudioAgreement, { payloadType }: RtpPacket): boolean {
  return receivedCodecs.has(payloadType) || receivedEventTypes.has(payloadType);
}
