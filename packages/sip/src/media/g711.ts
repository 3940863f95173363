// G.711: 16-bit samples to and from the eight bits of A-law and µ-law, by tables computed once.

/** The name is that of session descriptions. */
export type Codec = 'PCMA' | 'PCMU';

type Tables = {
  /** Code → sample. */
  readonly decoded: Int16Array;
  /** Sample shifted right by two bits, plus 8,192 → code. The two bits are below the smallest step of either law. */
  readonly encoded: Uint8Array;
};

const tables: Readonly<Record<Codec, Tables>> = { PCMA: tablesOf(aLawSample), PCMU: tablesOf(uLawSample) };

/** The code of a sample of zero, of which silence is made. */
export const silence: Readonly<Record<Codec, number>> = { PCMA: 0xd5, PCMU: 0xff };

export function encode(codec: Codec, samples: Int16Array): Uint8Array {
  const { encoded } = tables[codec];
  const codes = new Uint8Array(samples.length);
  for (let at = 0; at < samples.length; at++) codes[at] = encoded[((samples[at] ?? 0) >> 2) + 8192] ?? 0;
  return codes;
}

export function decode(codec: Codec, codes: Uint8Array): Int16Array {
  const { decoded } = tables[codec];
  const samples = new Int16Array(codes.length);
  for (let at = 0; at < codes.length; at++) samples[at] = decoded[codes[at] ?? 0] ?? 0;
  return samples;
}

/** Every other bit of an A-law code is inverted; the sign bit is set for positive samples. */
function aLawSample(code: number): number {
  const bits = code ^ 0x55;
  const segment = (bits >> 4) & 7;
  const step = ((bits & 15) << 4) + 8;
  const size = segment === 0 ? step : (step + 256) << (segment - 1);
  return bits & 0x80 ? size : -size;
}

/** All bits of a µ-law code are inverted; the sign bit, once inverted, is set for negative samples. */
function uLawSample(code: number): number {
  const bits = ~code & 0xff;
  const size = ((((bits & 15) << 3) + 132) << ((bits >> 4) & 7)) - 132;
  return bits & 0x80 ? -size : size;
}

/** The nearest code of every sample is found by walking both in rising order. */
function tablesOf(sampleOf: (code: number) => number): Tables {
  const decoded = Int16Array.from({ length: 256 }, (_, code) => sampleOf(code));
  const rising = Array.from({ length: 256 }, (_, code) => code).sort((one, other) => sampleOf(one) - sampleOf(other));
  const encoded = new Uint8Array(16_384);
  let nearest = 0;
  for (let index = 0; index < encoded.length; index++) {
    const sample = (index - 8192) * 4 + 2;
    const distance = (at: number): number => Math.abs(sampleOf(rising[at] ?? 0) - sample);
    while (nearest < 255 && distance(nearest + 1) <= distance(nearest)) nearest++;
    encoded[index] = rising[nearest] ?? 0;
  }
  return { decoded, encoded };
}
