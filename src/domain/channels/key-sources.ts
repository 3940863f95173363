// One press of a key may come twice: as an event in the sound, by SIP INFO, or as a tone. Decides which of them counts. Pure.

/** The most reliable first. */
const ranks = ['event', 'info', 'tone'] as const;
export type KeySource = (typeof ranks)[number];

/** Within this time the same key from another source is the same press. */
const echoMs = 500;

type Press = { readonly key: string; readonly source: KeySource; readonly at: number };

export class KeySources {
  #best: KeySource | undefined;
  #last: Press | undefined;

  /**
   * Whether it is a press of its own. The best source that has spoken counts alone, from its first key on, as long as there is one:
   * a call that is renegotiated may lose its events, and `hasEvents` is false from then on.
   */
  isPress(key: string, source: KeySource, at: number, hasEvents: boolean): boolean {
    if (!hasEvents && this.#best === 'event') this.#best = undefined;
    if (this.#best !== undefined && ranks.indexOf(source) > ranks.indexOf(this.#best)) return false;
    this.#best = source;
    const last = this.#last;
    const isEcho = last !== undefined && last.key === key && last.source !== source && at - last.at < echoMs;
    if (!isEcho) this.#last = { key, source, at };
    return !isEcho;
  }
}
