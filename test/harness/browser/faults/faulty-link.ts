// Stands between a page and its server as a proxy, and lets one request or one message of the hub fail, hang, be slow or be cut off.

import { once } from 'node:events';
import { Agent, request as ask, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TestContext } from 'node:test';
import { WebSocketServer } from 'ws';
import { HubStream, pingText, targetsOf } from './hub-stream.ts';

export const faultKinds = ['503', 'hangs', 'slow', 'cut', '401'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** What fails: `GET /api/v1/alarms/{id}`, or `hub onAlarm`: the hub from that message on. */
export type Target = string;

type Fault = { readonly target: Target; readonly kind: FaultKind };
type Late = { readonly dueAt: number; readonly pass: () => void; readonly stream?: HubStream };

/** How late a slow answer comes: within what the console waits for. */
const slowMs = 5_000;
const isOfInterface = /^\/(?:api|health|alarmHub)(?:\/|$)/;

export class FaultyLink {
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #upgrades = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  readonly #target: URL;
  #fault: Fault | undefined;
  /** Whether the message was sent from which on the hub is faulty. */
  #isHubFaulty = false;
  #now = 0;
  #late: Late[] = [];
  readonly #streams = new Set<HubStream>();
  #underWay = 0;
  #held = 0;
  #hits = 0;
  #joined = 0;
  /** What the page has asked the server for. */
  readonly asked = new Set<Target>();

  private constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#join(request, socket, head));
  }

  static async open(t: TestContext, url: string): Promise<FaultyLink> {
    const link = new FaultyLink(new URL(url));
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    t.after(() => link.#close());
    return link;
  }

  /** Where the page finds the server. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requests, and questions to the hub, that are neither answered nor held back. */
  get underWay(): number {
    return [...this.#streams].reduce((sum, { unanswered }) => sum + unanswered, this.#underWay);
  }

  /** Requests of the page that it holds back. */
  get held(): number {
    return this.#held;
  }

  /** How often the fault has happened since it began. */
  get hits(): number {
    return this.#hits;
  }

  /** How often the page has found the hub. */
  get joined(): number {
    return this.#joined;
  }

  begin(fault: Fault): void {
    this.#hits = 0;
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
    for (const stream of this.#streams) stream.close();
  }

  /** Time passes in the page: the hub says that it is there, and what is slow arrives. */
  pass(ms: number): void {
    this.#now += ms;
    for (const stream of this.#streams) if (stream.hasAnswered) this.#toPage(stream, pingText);
    const due = this.#late.filter(({ dueAt }) => dueAt <= this.#now);
    this.#late = this.#late.filter((one) => !due.includes(one));
    for (const { pass } of due) pass();
  }

  #close(): void {
    this.cutHub();
    this.#agent.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.#target);
    if (!isOfInterface.test(url.pathname)) {
      this.#forward(request, response);
      return;
    }
    const target = targetOf(request.method ?? '', url);
    this.asked.add(target);
    const kind = this.#kindFor(target);
    if (kind === undefined) this.#forward(request, response);
    else {
      this.#hits++;
      this.#carryOut(request, response, kind);
    }
  }

  #carryOut(request: IncomingMessage, response: ServerResponse, kind: FaultKind): void {
    if (kind === 'cut') request.socket.destroy();
    else if (kind === 'hangs' || kind === 'slow') this.#keep(request, response, kind);
    else {
      request.resume();
      const status = Number(kind);
      response.writeHead(status, { 'content-type': 'application/problem+json' });
      response.end(JSON.stringify({ ...problem, status }));
    }
  }

  #kindFor(target: Target): FaultKind | undefined {
    if (this.#isHubFaulty && target.includes('/alarmHub')) return this.#fault?.kind;
    return this.#fault?.target === target ? this.#fault.kind : undefined;
  }

  /** Holds a request back: one that hangs until the page gives it up, one that is slow for some time. */
  #keep(request: IncomingMessage, response: ServerResponse, kind: 'hangs' | 'slow'): void {
    this.#held++;
    let isKept = true;
    const release = (): void => {
      if (isKept) this.#held--;
      isKept = false;
    };
    response.once('close', release);
    if (kind === 'hangs') return;
    const pass = (): void => {
      if (!isKept) return;
      release();
      this.#forward(request, response);
    };
    this.#late.push({ dueAt: this.#now + slowMs, pass });
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    this.#underWay++;
    response.once('close', () => this.#underWay--);
    const { hostname: host, port } = this.#target;
    const { method, url: path, headers } = request;
    const forwarded = ask({ host, port, agent: this.#agent, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    // A request of a page that is gone has no answer.
    forwarded.on('error', () => response.destroy());
    response.on('error', () => forwarded.destroy());
    request.pipe(forwarded);
  }

  #join(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.#isHubFaulty) {
      this.#hits++;
      socket.destroy();
      return;
    }
    this.#upgrades.handleUpgrade(request, socket, head, (page) => {
      const address = `ws://${this.#target.host}${request.url}`;
      const stream = new HubStream(page, address, (message) => this.#toPage(stream, message));
      this.#streams.add(stream);
      this.#joined++;
      page.on('close', () => {
        stream.close();
        this.#streams.delete(stream);
      });
    });
  }

  #toPage(stream: HubStream, message: string): void {
    const targets = targetsOf(message).map(hubTarget);
    if (this.#fault !== undefined && targets.includes(this.#fault.target)) this.#isHubFaulty = true;
    const kind = this.#isHubFaulty ? this.#fault?.kind : undefined;
    if (kind !== undefined) this.#hits++;
    // What was held back before goes first.
    const isQueued = this.#late.some(({ stream: of }) => of === stream);
    if (kind === 'hangs') this.#hold(stream, message, Number.POSITIVE_INFINITY);
    else if (kind === 'slow' || (kind === undefined && isQueued)) this.#hold(stream, message, this.#now + slowMs);
    else if (kind === undefined) stream.send(message);
    else this.cutHub();
  }

  /** A stream that hangs is delivered when the network is back. */
  #hold(stream: HubStream, message: string, dueAt: number): void {
    this.#late.push({ dueAt, pass: () => stream.send(message), stream });
  }
}

const problem = { type: 'about:blank', title: 'Refused', code: 'unavailable', detail: 'The proxy refuses this.' };

export function hubTarget(message: string): Target {
  return `hub ${message}`;
}

export function targetOf(method: string, { pathname }: URL): Target {
  return `${method} ${pathname.replaceAll(/\/\d+(?=\/|$)/g, '/{id}')}`;
}
