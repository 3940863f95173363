// Stands between a page and its server, and lets one request or one message of the hub fail, hang, be slow or be cut off.

import type { Page, Route, WebSocketRoute } from 'playwright-core';

export const faultKinds = ['503', 'hangs', 'slow', 'cut', '401'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** What fails: `GET /api/v1/alarms/{id}`, or `hub onAlarm`: the hub from that message on. */
export type Target = string;

type Fault = { readonly target: Target; readonly kind: FaultKind };
type Late = { readonly dueAt: number; readonly pass: () => void; readonly socket?: WebSocketRoute };

/** How late a slow answer comes: within what the console waits for. */
const slowMs = 5_000;
const endOfMessage = '\u001e';

export class FaultyLink {
  #fault: Fault | undefined;
  /** Whether the message was sent from which on the hub is faulty. */
  #isHubFaulty = false;
  #now = 0;
  #late: Late[] = [];
  readonly #hubs = new Map<WebSocketRoute, WebSocketRoute>();
  #underWay = 0;
  /** What the page has asked the server for. */
  readonly asked = new Set<Target>();

  async attach(page: Page): Promise<void> {
    const isOurs = ({ pathname }: URL): boolean => /^\/(?:api|health|alarmHub)\//.test(pathname);
    await page.route(isOurs, (route) => this.#answer(route));
    await page.routeWebSocket(/\/alarmHub/, (socket) => this.#join(socket));
    page.on('framenavigated', () => {
      this.#late = [];
    });
  }

  /** Requests that are neither answered nor held back. */
  get underWay(): number {
    return this.#underWay;
  }

  begin(fault: Fault): void {
    this.#fault = fault;
    this.#isHubFaulty = fault.target === hubTarget('connect');
  }

  /** All is well again; what hangs was lost with the server that should have answered, and what the network held back comes. */
  end(): void {
    this.#fault = undefined;
    this.#isHubFaulty = false;
    const late = this.#late;
    this.#late = [];
    for (const { pass } of late) pass();
  }

  /** Cuts the hub for an instant, so that the page reads everything again. */
  cutHub(): void {
    for (const [socket, server] of this.#hubs) void Promise.all([socket.close(), server.close()]);
    this.#hubs.clear();
  }

  /** Time passes in the page: the hub says that it is there, and what is slow arrives. */
  pass(ms: number): void {
    this.#now += ms;
    for (const [socket] of this.#hubs) this.#toPage(socket, `{"type":6}${endOfMessage}`);
    const due = this.#late.filter(({ dueAt }) => dueAt <= this.#now);
    this.#late = this.#late.filter((one) => !due.includes(one));
    for (const { pass } of due) pass();
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request();
    const target = targetOf(request.method(), new URL(request.url()));
    this.asked.add(target);
    const kind = this.#kindFor(target);
    // A request of a page that is gone has no answer.
    await this.#carryOut(route, kind).catch(() => undefined);
  }

  #kindFor(target: Target): FaultKind | undefined {
    if (this.#isHubFaulty && target.includes('/alarmHub')) return this.#fault?.kind;
    return this.#fault?.target === target ? this.#fault.kind : undefined;
  }

  async #carryOut(route: Route, kind: FaultKind | undefined): Promise<void> {
    if (kind === 'hangs') return;
    if (kind === 'cut') return route.abort('connectionreset');
    if (kind === '503' || kind === '401') {
      const status = Number(kind);
      return route.fulfill({ status, contentType: 'application/problem+json', json: { ...problem, status } });
    }
    if (kind === 'slow') {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#late.push({ dueAt: this.#now + slowMs, pass: resolve });
      await promise;
    }
    this.#underWay++;
    try {
      const response = await route.fetch();
      await route.fulfill({ response });
    } finally {
      this.#underWay--;
    }
  }

  #join(socket: WebSocketRoute): void {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      // Only a hub that has answered the handshake says that it is there.
      this.#hubs.set(socket, server);
      this.#toPage(socket, String(message));
    });
    socket.onClose(() => {
      this.#hubs.delete(socket);
      void server.close();
    });
  }

  #toPage(socket: WebSocketRoute, message: string): void {
    const targets = targetsOf(message);
    if (this.#fault !== undefined && targets.includes(this.#fault.target)) this.#isHubFaulty = true;
    const kind = this.#isHubFaulty ? this.#fault?.kind : undefined;
    // What was held back before goes first.
    const isQueued = this.#late.some(({ socket: of }) => of === socket);
    if (kind === 'hangs') this.#hold(socket, message, Number.POSITIVE_INFINITY);
    else if (kind === 'slow' || (kind === undefined && isQueued)) this.#hold(socket, message, this.#now + slowMs);
    else if (kind === undefined) socket.send(message);
    else this.cutHub();
  }

  /** A stream that hangs is delivered when the network is back. */
  #hold(socket: WebSocketRoute, message: string, dueAt: number): void {
    const pass = (): void => {
      if (this.#hubs.has(socket)) socket.send(message);
    };
    this.#late.push({ dueAt, pass, socket });
  }
}

const problem = { type: 'about:blank', title: 'Refused', code: 'unavailable', detail: 'The proxy refuses this.' };

export function hubTarget(message: string): Target {
  return `hub ${message}`;
}

export function targetOf(method: string, { pathname }: URL): Target {
  return `${method} ${pathname.replaceAll(/\/\d+(?=\/|$)/g, '/{id}')}`;
}

/** The methods of the client that the messages call; `answer`: what the hub answers to a subscription. */
function targetsOf(text: string): readonly Target[] {
  return text
    .split(endOfMessage)
    .filter((part) => part.startsWith('{"'))
    .flatMap((part) => {
      const { type, target } = JSON.parse(part) as { readonly type?: number; readonly target?: string };
      if (type === 1 && target !== undefined) return [hubTarget(target)];
      return type === 3 ? [hubTarget('answer')] : type === 6 ? [hubTarget('ping')] : [];
    });
}
