// Measures how loud received sound is over time: evidence for a voice, an answering machine or silence.

/** Loudness in decibels below full scale, from 0 down to this, which stands for silence. */
export const quietest = -96;

export class LevelMeter {
  #energy = 0;
  #samples = 0;

  push(samples: Int16Array): void {
    for (const sample of samples) this.#energy += sample * sample;
    this.#samples += samples.length;
  }

  /** The loudness since the last reading; undefined when nothing was received. */
  read(): number | undefined {
    if (this.#samples === 0) return undefined;
    const power = this.#energy / this.#samples / (32_768 * 32_768);
    this.#energy = 0;
    this.#samples = 0;
    return power === 0 ? quietest : Math.max(quietest, 10 * Math.log10(power));
  }
}
