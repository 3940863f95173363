// Changes the sample rate of a recording to that of the telephone, with a low-pass filter against aliasing.

export const telephoneRate = 8000;

/** Telephones carry up to 3,400 Hz; the filter has the room above that to fall off. */
const passBand = 3600;
/** The sinc function is cut off, under a window, after this many zero crossings on each side. */
const zeroCrossings = 16;

/** Returns the samples at 8 kHz; the work is done once per output sample, with kernels that repeat. */
export function toTelephoneRate(samples: Float32Array, rate: number): Float32Array {
  if (rate === telephoneRate) return samples;
  const divisor = greatestCommonDivisor(rate, telephoneRate);
  const [step, phases] = [rate / divisor, telephoneRate / divisor];
  const kernels = kernelsOf(rate, phases);
  const half = (kernels[0]?.length ?? 0) / 2;
  const out = new Float32Array(Math.floor((samples.length * phases) / step));
  for (let at = 0; at < out.length; at++) {
    const position = at * step;
    const kernel = kernels[position % phases] ?? new Float32Array();
    const first = Math.floor(position / phases) - half + 1;
    let sum = 0;
    const from = Math.max(0, -first);
    const to = Math.min(kernel.length, samples.length - first);
    for (let tap = from; tap < to; tap++) sum += (kernel[tap] ?? 0) * (samples[first + tap] ?? 0);
    out[at] = sum;
  }
  return out;
}

/** One kernel for each place that an output sample can have between two input samples. */
function kernelsOf(rate: number, phases: number): Float32Array[] {
  const cutoff = Math.min(passBand, rate * 0.45) / rate;
  const half = Math.ceil(zeroCrossings / (2 * cutoff));
  return Array.from({ length: phases }, (_, phase) => {
    const kernel = Float32Array.from({ length: 2 * half }, (__, tap) => {
      const distance = tap - half + 1 - phase / phases;
      return 2 * cutoff * sinc(2 * cutoff * distance) * window(distance / (half + 1));
    });
    const sum = kernel.reduce((total, weight) => total + weight, 0);
    return kernel.map((weight) => weight / sum);
  });
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** A Blackman window over -1 … 1. */
function window(x: number): number {
  return 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
