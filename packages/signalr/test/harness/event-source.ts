// An EventSource like a browser's, as far as the published clients use it.

export class TestEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  readyState: number = TestEventSource.CONNECTING;
  readonly #stopper = new AbortController();

  constructor(url: string) {
    super();
    void this.#read(url);
  }

  close(): void {
    this.readyState = TestEventSource.CLOSED;
    this.#stopper.abort();
  }

  async #read(url: string): Promise<void> {
    try {
      const response = await fetch(url, { signal: this.#stopper.signal });
      if (!response.ok) throw new Error(`Answered ${response.status}`);
      this.readyState = TestEventSource.OPEN;
      this.dispatchEvent(new Event('open'));
      let rest = '';
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const events = (rest + chunk).split('\n\n');
        rest = events.pop() ?? '';
        for (const event of events) this.#tell(event.replace(/^data: /, ''));
      }
    } catch {
      // The stream was cut or refused, which a page cannot tell apart.
    }
    if (this.readyState !== TestEventSource.CLOSED) this.dispatchEvent(new Event('error'));
  }

  #tell(data: string): void {
    if (this.readyState === TestEventSource.OPEN) this.dispatchEvent(new MessageEvent('message', { data }));
  }
}
