// Runs in a page before its own scripts: its time stands still until a test lets it pass, and what it asks for, sounds and
// hears of its link is noted.

import { linesOnScreen } from './texts.ts';

/** What a page shows and knows of itself. */
export type Look = {
  readonly lines: readonly string[];
  /** Requests without an answer that was read whole. */
  readonly pending: number;
};

/**
 * The time goes on over a reload, as `window.name`. A clock of the browser's own tools would keep every step for the pages that are opened
 * later, and a page took longer to open with each case.
 */
const clock = `
  let now = Number(window.name) || START;
  const openedAt = now;
  const timers = new Map();
  let ids = 0;
  const add = (run, ms, everyMs) => {
    ids++;
    timers.set(ids, { at: now + Math.max(0, Number(ms) || 0), everyMs, run, id: ids });
    return ids;
  };
  const remove = (id) => void timers.delete(id);
  const RealDate = Date;
  class SteppedDate extends RealDate {
    constructor(...asked) {
      if (asked.length === 0) super(now);
      else super(...asked);
    }
    static now() {
      return now;
    }
  }
  const drawn = requestAnimationFrame.bind(globalThis);
  globalThis.Date = SteppedDate;
  performance.now = () => now - openedAt;
  globalThis.setTimeout = (run, ms, ...asked) => add(() => run(...asked), ms);
  globalThis.setInterval = (run, ms, ...asked) => add(() => run(...asked), ms, Math.max(1, ms));
  globalThis.requestAnimationFrame = (run) => add(() => run(now - openedAt), 16);
  globalThis.clearTimeout = globalThis.clearInterval = globalThis.cancelAnimationFrame = remove;
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('The time is over.', 'TimeoutError')), ms);
    return controller.signal;
  };
  // What was begun, as a drawing, ends before the next timer.
  const { port1, port2 } = new MessageChannel();
  let turned;
  port1.onmessage = () => turned();
  const turn = () => new Promise((done) => { turned = done; port2.postMessage(0); });
  const turns = async () => { for (let count = 0; count < 3; count++) await turn(); };
  const earliest = (end) => {
    let first;
    for (const timer of timers.values())
      if (timer.at <= end && (first === undefined || timer.at < first.at)) first = timer;
    return first;
  };
  globalThis.stepBy = async (ms) => {
    const end = now + ms;
    await turns();
    for (let due = earliest(end); due !== undefined; due = earliest(end)) {
      now = Math.max(now, due.at);
      if (due.everyMs === undefined) timers.delete(due.id);
      // Of what repeats the last time before the end is enough, as in a tab that a browser slows down.
      else due.at += due.everyMs * Math.max(1, Math.floor((end - due.at) / due.everyMs));
      due.run();
      await turns();
    }
    now = end;
    window.name = String(now);
  };
  /** Time passes, the page is drawn, and what it shows then is returned. */
  globalThis.lookAfter = async (ms) => {
    await stepBy(ms);
    await new Promise(drawn);
    await turns();
    return { lines: LINES, pending };
  };
`;

const notes = `
  globalThis.pending = 0;
  const ask = fetch.bind(globalThis);
  globalThis.fetch = async (...asked) => {
    pending++;
    try {
      const response = await ask(...asked);
      const body = await response.arrayBuffer();
      const { status, statusText, headers } = response;
      return new Response([204, 205, 304].includes(status) ? null : body, { status, statusText, headers });
    } finally {
      pending--;
    }
  };
  globalThis.heard = [];
  const { start } = AudioScheduledSourceNode.prototype;
  AudioScheduledSourceNode.prototype.start = function (...when) {
    if (this instanceof OscillatorNode) heard.push({ hertz: this.frequency.value, at: Date.now() });
    return start.apply(this, when);
  };
  globalThis.liveAt = 0;
  new MutationObserver(() => {
    const isLive = document.querySelector('[data-link=live]') !== null;
    liveAt = isLive ? liveAt || Date.now() : 0;
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-link'] });
`;

/** Nobody looks: what is on screen is laid out, and neither moved nor painted. */
const unpainted = `
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html { opacity: 0 } *, ::before, ::after { transition: none !important; animation: none !important }');
  document.adoptedStyleSheets = [sheet];
`;

/** The script for a page whose time begins at `now`. */
export function steppedFrom(now: number): string {
  return `(() => {${clock.replace('START', String(now)).replace('LINES', linesOnScreen)}${notes}${unpainted}})();`;
}
