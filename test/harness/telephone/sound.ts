// Measures sound of 8 kHz: how much of its energy lies in a band, and how well one sound is found in another.

const rate = 8000;
const block = 256;

/** The share of the energy that lies between two frequencies, from the spectrum of every block. */
export function bandShare(samples: Int16Array, from: number, to: number): number {
  let [inside, total] = [0, 0];
  for (let begin = 0; begin + block <= samples.length; begin += block) {
    for (let bin = 1; bin < block / 2; bin++) {
      const energy = energyOf(samples.subarray(begin, begin + block), bin);
      const hertz = (bin * rate) / block;
      total += energy;
      if (hertz >= from && hertz <= to) inside += energy;
    }
  }
  return inside / total;
}

function energyOf(samples: Int16Array, bin: number): number {
  let [real, imaginary] = [0, 0];
  for (const [at, sample] of samples.entries()) {
    const turn = (2 * Math.PI * bin * at) / block;
    const hann = 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / block);
    real += sample * hann * Math.cos(turn);
    imaginary += sample * hann * Math.sin(turn);
  }
  return real * real + imaginary * imaginary;
}

/** The best correlation, from -1 to 1, of the whole of `sent` with a part of `heard` that begins in the first second. */
export function bestMatch(heard: Int16Array, sent: Int16Array): number {
  // The place is found by a quarter of a second from the middle, which is quicker than by everything.
  const middle = Math.floor(sent.length / 2);
  const excerpt = sent.subarray(middle, middle + rate / 4);
  let [best, place] = [-1, 0];
  for (let lag = 0; lag < rate; lag++) {
    const match = correlation(heard.subarray(lag + middle, lag + middle + excerpt.length), excerpt);
    if (match > best) [best, place] = [match, lag];
  }
  return correlation(heard.subarray(place, place + sent.length), sent);
}

function correlation(one: Int16Array, other: Int16Array): number {
  let [product, left, right] = [0, 0, 0];
  for (let at = 0; at < other.length; at++) {
    const [a, b] = [one[at] ?? 0, other[at] ?? 0];
    product += a * b;
    left += a * a;
    right += b * b;
  }
  return product / Math.sqrt(left * right || 1);
}
