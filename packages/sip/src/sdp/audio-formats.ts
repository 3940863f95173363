// The formats of an audio stream that we speak: G.711 in both laws, and telephone events at 8 kHz.

import type { Codec } from '../media/g711.ts';
import type { MediaDescription } from './session-description.ts';

/** The payload types of a stream by their meaning, as its owner declared them; formats that we do not speak are left out. */
export type AudioFormats = {
  /** In the owner's order of preference. */
  readonly codecs: ReadonlyMap<number, Codec>;
  readonly events: readonly number[];
};

const staticCodecs: ReadonlyMap<number, Codec> = new Map([
  [0, 'PCMU'],
  [8, 'PCMA'],
]);

export function audioFormatsOf({ formats, attributes }: MediaDescription): AudioFormats {
  const declared = new Map<number, string>();
  for (const { name, value } of attributes) {
    const [, type, encoding] = (name === 'rtpmap' && /^(\d{1,3}) +([\w-]+\/\d+)(?:\/\d+)?$/.exec(value ?? '')) || [];
    if (type !== undefined && encoding !== undefined) declared.set(Number(type), encoding.toLowerCase());
  }
  const codecs = new Map<number, Codec>();
  const events: number[] = [];
  for (const format of formats) {
    const type = /^\d{1,3}$/.test(format) ? Number(format) : 128;
    if (type > 127) continue;
    const codec = declared.has(type) ? codecNamed(declared.get(type)) : staticCodecs.get(type);
    if (codec !== undefined) codecs.set(type, codec);
    if (declared.get(type) === 'telephone-event/8000') events.push(type);
  }
  return { codecs, events };
}

function codecNamed(encoding: string | undefined): Codec | undefined {
  if (encoding === 'pcma/8000') return 'PCMA';
  return encoding === 'pcmu/8000' ? 'PCMU' : undefined;
}
