// Offers and answers (RFC 3264) for the one audio stream of a call, in both directions, also again in mid-call.

import { isIP } from 'node:net';
import type { Codec } from '../media/g711.ts';
import { type AudioFormats, audioFormatsOf } from './audio-formats.ts';
import {
  type Attribute,
  type MediaDescription,
  parseDescription,
  printDescription,
  SdpError,
  type SessionDescription,
} from './session-description.ts';

/** Directions as seen by their owner. */
export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** Terms that both sides have agreed on for the audio stream. */
export type AudioAgreement = {
  /** Where the peer wants its audio. */
  readonly remote: { readonly address: string; readonly port: number };
  /** The codec we send, and its payload type in the peer's numbering. */
  readonly codec: Codec;
  readonly codecType: number;
  /** The payload types under which audio may arrive: ours, and those the peer declared. */
  readonly receivedCodecs: ReadonlyMap<number, Codec>;
  /** The payload type for telephone events we send, from the peer's description; undefined: the peer takes none. */
  readonly eventType: number | undefined;
  /** The payload types under which events may arrive. Peers differ in whose number they use, so both count. */
  readonly receivedEventTypes: ReadonlySet<number>;
  /** Whether we may send, and whether the peer may: neither, while one side holds the call. */
  readonly sends: boolean;
  readonly receives: boolean;
};

export type LocalAudio = { readonly address: string; readonly port: number };

const eventNumber = 101;
const ownCodecs: ReadonlyMap<number, Codec> = new Map([
  [8, 'PCMA'],
  [0, 'PCMU'],
]);

export class AudioNegotiation {
  readonly #local: LocalAudio;
  readonly #sessionId: string;
  #version = 0n;
  #lastContent = '';
  /** The streams of the last description, in the order that later ones must keep; undefined stands for our audio. */
  #streams: readonly (MediaDescription | undefined)[] = [undefined];
  /** The telephone events we declared last, under which the peer may send. */
  #ownEventTypes: readonly number[] = [];

  /** `sessionId`: a number that no other session of this machine has. */
  constructor(local: LocalAudio, sessionId: string) {
    this.#local = local;
    this.#sessionId = sessionId;
  }

  /** An offer of everything we speak; a later one keeps the streams that were agreed or refused before. */
  offer(direction: Direction = 'sendrecv'): string {
    this.#ownEventTypes = [eventNumber];
    return this.#print(this.#streams, audioStream(this.#local.port, 'RTP/AVP', ownCodecs, [eventNumber], direction));
  }

  /** Answers an offer: takes its first usable audio stream and refuses the others. Throws an SdpError when there is none. */
  answer(offer: string): { readonly description: string; readonly agreement: AudioAgreement } {
    const offered = parseDescription(offer);
    const chosen = offered.media.find((stream) => this.#isUsable(offered, stream));
    if (chosen === undefined) throw new SdpError('notAcceptable', refusalOf(offered, this.#family));
    const formats = audioFormatsOf(chosen);
    // The offer's own payload types are answered, so that both directions use the same numbers.
    const events = formats.events.slice(0, 1);
    this.#ownEventTypes = events;
    const [first] = formats.codecs;
    if (first === undefined) throw new SdpError('notAcceptable', noCodec);
    const agreement = this.#agreement(offered, chosen, formats);
    this.#streams = offered.media.map((stream) => (stream === chosen ? undefined : refused(stream)));
    const own = audioStream(this.#local.port, chosen.protocol, new Map([first]), events, directionOf(agreement));
    return { description: this.#print(this.#streams, own), agreement };
  }

  /**
   * Takes the answer to our last offer: the stream in the place of ours, or another one of audio where a peer refuses ours and
   * offers one of its own. Throws an SdpError when the peer refused the audio or answered what we cannot do.
   */
  accept(answer: string): AudioAgreement {
    const answered = parseDescription(answer);
    const stream = answered.media[this.#streams.indexOf(undefined)];
    const usable = [...(stream ? [stream] : []), ...answered.media].find((each) => this.#isUsable(answered, each));
    if (usable !== undefined) return this.#agreement(answered, usable, audioFormatsOf(usable));
    if (stream === undefined || stream.kind !== 'audio')
      throw new SdpError('notAcceptable', 'the answer does not answer the audio stream');
    if (stream.port === 0) throw new SdpError('notAcceptable', 'the other side refused the audio stream');
    throw new SdpError('notAcceptable', refusalOf(answered, this.#family));
  }

  get #family(): number {
    return isIP(this.#local.address);
  }

  #isUsable(description: SessionDescription, stream: MediaDescription): boolean {
    const address = stream.address ?? description.address;
    const isRtpAudio = stream.kind === 'audio' && stream.port !== 0 && isPlainRtp(stream);
    if (!isRtpAudio || address === undefined || isIP(address) !== this.#family || isMulticast(address)) return false;
    return audioFormatsOf(stream).codecs.size > 0;
  }

  #agreement(description: SessionDescription, stream: MediaDescription, formats: AudioFormats): AudioAgreement {
    const address = stream.address ?? description.address ?? '';
    const [first] = formats.codecs;
    if (first === undefined) throw new SdpError('notAcceptable', noCodec);
    const [codecType, codec] = first;
    const peer = peerDirection(description, stream);
    // The address 0.0.0.0 is how phones before RFC 3264 hold a call: nothing can be sent there.
    const isNowhere = address === '0.0.0.0' || /^[0:]+$/.test(address);
    return {
      remote: { address, port: stream.port },
      codec,
      codecType,
      receivedCodecs: new Map([...formats.codecs, ...ownCodecs]),
      eventType: formats.events[0],
      receivedEventTypes:
        formats.events.length === 0 ? new Set() : new Set([...this.#ownEventTypes, ...formats.events]),
      sends: !isNowhere && (peer === 'sendrecv' || peer === 'recvonly'),
      receives: peer === 'sendrecv' || peer === 'sendonly',
    };
  }

  /** Increments the version when the content differs from what was sent before; the same content keeps its version. */
  #print(streams: readonly (MediaDescription | undefined)[], own: MediaDescription): string {
    const { address } = this.#local;
    const description = {
      sessionId: this.#sessionId,
      origin: address,
      address,
      attributes: [],
      media: streams.map((stream) => stream ?? own),
    };
    const content = printDescription({ ...description, version: 0n });
    if (content !== this.#lastContent) this.#version += 1n;
    this.#lastContent = content;
    return printDescription({ ...description, version: this.#version });
  }
}

const noCodec = 'the other side speaks neither G.711 A-law nor µ-law';

function refusalOf({ media, address }: SessionDescription, family: number): string {
  const audio = media.filter(({ kind, port }) => kind === 'audio' && port !== 0);
  const plain = audio.filter(isPlainRtp);
  const [first] = plain;
  if (audio.length === 0) return 'the session description has no audio stream';
  if (first === undefined) return `the audio is ${audio[0]?.protocol}, we speak RTP/AVP`;
  const target = first.address ?? address;
  if (target === undefined) return 'the audio stream has no address';
  if (isIP(target) !== family) return `the audio address ${target} is not of IPv${family}, which this call uses`;
  return isMulticast(target) ? `the audio address ${target} is multicast` : noCodec;
}

/** RTP without encryption. The profile AVPF only adds reports that may be sent, and never are by us. */
function isPlainRtp({ protocol }: MediaDescription): boolean {
  return protocol.toUpperCase() === 'RTP/AVP' || protocol.toUpperCase() === 'RTP/AVPF';
}

function isMulticast(address: string): boolean {
  return /^(?:22[4-9]|23\d)\.|^ff[0-9a-f]{2}:/i.test(address) || address === '255.255.255.255';
}

function peerDirection(description: SessionDescription, stream: MediaDescription): Direction {
  const isDirection = (name: string): name is Direction =>
    name === 'sendrecv' || name === 'sendonly' || name === 'recvonly' || name === 'inactive';
  const names = [...stream.attributes, ...description.attributes].map(({ name }) => name);
  return names.find(isDirection) ?? 'sendrecv';
}

function directionOf({ sends, receives }: AudioAgreement): Direction {
  if (sends) return receives ? 'sendrecv' : 'sendonly';
  return receives ? 'recvonly' : 'inactive';
}

function refused(stream: MediaDescription): MediaDescription {
  return { ...stream, port: 0, address: undefined, attributes: [] };
}

function audioStream(
  port: number,
  protocol: string,
  codecs: ReadonlyMap<number, Codec>,
  events: readonly number[],
  direction: Direction,
): MediaDescription {
  const attributes: Attribute[] = [...codecs].map(([type, codec]) => ({
    name: 'rtpmap',
    value: `${type} ${codec}/8000`,
  }));
  for (const type of events) {
    attributes.push({ name: 'rtpmap', value: `${type} telephone-event/8000` }, { name: 'fmtp', value: `${type} 0-15` });
  }
  attributes.push({ name: 'ptime', value: '20' }, { name: direction, value: undefined });
  const formats = [...codecs.keys(), ...events].map(String);
  return { kind: 'audio', port, protocol, formats, address: undefined, attributes };
}
