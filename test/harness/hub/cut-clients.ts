// Clients of the alarm hub that reconnect in all the ways there are, each through a proxy that is cut at random.

import type { TestContext } from 'node:test';
import { HttpTransportType, type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { LiveFeed } from '@tocsin/client';
import { startProxy, type TcpProxy } from '../../../packages/signalr/test/harness/tcp-proxy.ts';
import { until } from '../until.ts';
import { type ClassicClient, classicClient } from './classic-page.ts';
import { type AlarmFlow, CutClient, notOnce, numberOf, retryMs } from './cut-client.ts';

/**
 * How a client reconnects: on the same connection, on a new one that subscribes from its last position, or on a new one
 * without a position.
 */
type CoreKind = 'stateful' | 'by position' | 'plain';
/** Classic clients reconnect on the same connection, with the id of the last message they received. */
const classicTransports = {
  classic: 'webSockets',
  'classic by events': 'serverSentEvents',
  'classic by polls': 'longPolling',
} as const;
type ClassicKind = keyof typeof classicTransports;
/** `feed` is the client of packages/client. */
type CutKind = CoreKind | ClassicKind | 'feed';

/** Starts clients of each kind, each connected through its own proxy. */
export function startCutClients(
  counts: Readonly<Record<CutKind, number>>,
  url: string,
  token: string,
  flow: AlarmFlow,
): Promise<CutClient[]> {
  const kinds = (Object.keys(counts) as CutKind[]).flatMap((kind) => Array<CutKind>(counts[kind]).fill(kind));
  return Promise.all(
    kinds.map((kind) => {
      if (kind === 'feed') return FeedCutClient.start(url, token, flow);
      return isClassic(kind) ? ClassicCutClient.start(kind, url, token) : CoreCutClient.start(kind, url, token, flow);
    }),
  );
}

function isClassic(kind: CutKind): kind is ClassicKind {
  return kind in classicTransports;
}

/** The state of a connected classic client. */
const connectedState = 1;
class CoreCutClient extends CutClient {
  readonly kind: CoreKind;
  readonly heard: number[] = [];
  /** Alarms it received although they were in the event log before it connected. */
  readonly #replayed: number[] = [];
  readonly #connection: HubConnection;
  /** How often it opened a new connection. */
  #comings = 0;
  /** The newest alarm that was in the event log for certain when it last connected. */
  #cameAfter = 0;
  /** The numbers of the alarms whose changes and removals it received. */
  readonly #changed: number[] = [];
  readonly #removed: number[] = [];
  readonly #numbers = new Map<number, number>();
  readonly #hasChanges: boolean;
  #position: string | undefined;
  #isSubscribed = false;
  /** Alarms received since its last position; before it has subscribed, the hub sends no positions. */
  #unplaced: number[] = [];
  /** Alarms of #unplaced after which the connection was cut: the hub sends them again. */
  readonly #heardUnplaced = new Set<number>();

  private constructor(kind: CoreKind, proxy: TcpProxy, token: string, flow: AlarmFlow) {
    super(proxy);
    this.kind = kind;
    this.#hasChanges = flow.hasChanges && kind === 'by position';
    // The client requests the token before it opens a connection, and never while one is open.
    const accessTokenFactory = () => {
      this.#cameAfter = flow.past;
      return token;
    };
    const builder = new HubConnectionBuilder()
      .withUrl(`http://127.0.0.1:${proxy.port}/alarmHub`, {
        accessTokenFactory,
        transport: HttpTransportType.WebSockets,
      })
      .withAutomaticReconnect({ nextRetryDelayInMilliseconds: () => retryMs })
      .configureLogging(LogLevel.None);
    if (kind === 'stateful') builder.withStatefulReconnect();
    this.#connection = builder.build();
    this.#connection.on('onAlarm', ({ path, id }) => {
      this.#numbers.set(id, numberOf(path));
      this.#hear(numberOf(path));
      // Clients by position receive some alarms from the event log, perhaps before others receive them.
      if (kind !== 'by position') flow.noteHeard(numberOf(path));
    });
    this.#connection.on('onAlarmChanged', ({ path }) => this.#changed.push(numberOf(path)));
    this.#connection.on('onAlarmRemoved', (id) => this.#removed.push(this.#numbers.get(id) ?? 0));
    this.#connection.on('onPosition', (position) => this.#keepPosition(position));
    this.#connection.onreconnecting(() => {
      this.#isSubscribed = false;
      for (const number of this.#unplaced) this.#heardUnplaced.add(number);
      this.#unplaced = [];
    });
    this.#connection.onreconnected(() => this.#arrive());
  }

  static async start(kind: CoreKind, url: string, token: string, flow: AlarmFlow): Promise<CutClient> {
    const client = new CoreCutClient(kind, await startProxy(Number(new URL(url).port)), token, flow);
    await client.#connection.start();
    await client.#arrive();
    return client;
  }

  async settle(): Promise<void> {
    const isBack = () => this.#connection.state === 'Connected' && (this.kind !== 'by position' || this.#isSubscribed);
    await until(isBack, (isSo) => isSo);
    await this.#roundTrip();
  }

  faults(last: number): string[] {
    const comings = this.kind === 'stateful' ? this.#comings === 1 : this.#comings > 1;
    return [
      ...this.twice(this.#heardUnplaced),
      ...(this.#hasChanges
        ? [...notOnce('the change', this.#changed, last), ...notOnce('the removal', this.#removed, last)]
        : []),
      ...(this.kind === 'plain'
        ? this.#replayed.map((number) => `told of ${number} from before it came`)
        : this.lost(last)),
      ...(comings ? [] : [`came ${this.#comings} times with ${this.cuts} cuts`]),
    ];
  }

  get heardUnplaced(): number {
    return this.#heardUnplaced.size;
  }

  protected override hasHeard(number: number): boolean {
    return super.hasHeard(number) && (!this.#hasChanges || this.#removed.includes(number));
  }

  protected leave(): Promise<void> {
    return this.#connection.stop();
  }

  protected override async beforeCut(): Promise<void> {
    // The published client gives up resuming when it is cut while it resumes; then messages may be lost.
    if (this.kind === 'stateful') await this.#roundTrip();
  }

  #keepPosition(position: string): void {
    this.#position = position;
    this.#unplaced = [];
  }

  #hear(number: number): void {
    this.heard.push(number);
    if (this.kind === 'by position' && !this.#isSubscribed) this.#unplaced.push(number);
    if (number <= this.#cameAfter) this.#replayed.push(number);
  }

  async #arrive(): Promise<void> {
    this.#comings += 1;
    if (this.kind !== 'by position') return;
    const changes = this.#hasChanges;
    const filter = this.#position === undefined ? { changes } : { changes, since: this.#position };
    try {
      const answer = await this.#connection.invoke('subscribe', filter);
      if (this.#position !== undefined && !answer.recovered) throw new Error('The position was not taken.');
      this.#keepPosition(answer.position);
      this.#isSubscribed = true;
    } catch (error) {
      // The connection was cut again; the client subscribes when it is back.
      if (this.#connection.state === 'Connected') throw error;
    }
  }

  /** Invokes a method that the hub does not have: the error shows that both directions are open. */
  async #roundTrip(): Promise<void> {
    await this.#connection.invoke('areYouThere').catch(() => {});
  }
}

/** A classic client, which reconnects by itself. */
class ClassicCutClient extends CutClient {
  readonly kind: ClassicKind;
  readonly heardUnplaced = 0;
  readonly #client: ClassicClient;
  readonly #close: () => void;
  #returns = 0;

  private constructor(kind: ClassicKind, proxy: TcpProxy, client: ClassicClient, close: () => void) {
    super(proxy);
    this.kind = kind;
    this.#client = client;
    this.#close = close;
    client.hub.reconnectDelay = retryMs;
    client.hub.reconnected(() => {
      this.#returns += 1;
    });
  }

  static async start(kind: ClassicKind, url: string, token: string): Promise<CutClient> {
    const proxy = await startProxy(Number(new URL(url).port));
    const endings: (() => void)[] = [];
    // The page is closed with this client, also when it runs outside of a test.
    const life: Pick<TestContext, 'after'> = { after: (end) => void endings.push(end as () => void) };
    const page = `http://127.0.0.1:${proxy.port}`;
    const client = await classicClient(life as TestContext, page, token, classicTransports[kind]);
    return new ClassicCutClient(kind, proxy, client, () => {
      for (const end of endings) end();
    });
  }

  get heard(): readonly number[] {
    return this.#client.alarms.map(({ path }) => numberOf(String(path)));
  }

  async settle(): Promise<void> {
    await until(
      () => this.#client.hub.state,
      (state) => state === connectedState,
    );
  }

  faults(last: number): string[] {
    const isBack = this.#returns > 0 && this.#client.hub.state === connectedState;
    return [
      ...this.twice(new Set()),
      ...this.lost(last),
      ...(isBack ? [] : [`came back ${this.#returns} times with ${this.cuts} cuts`]),
    ];
  }

  protected async leave(): Promise<void> {
    this.#close();
  }
}

/** The client of packages/client, which asks for changes and continues by position. */
class FeedCutClient extends CutClient {
  readonly kind = 'feed';
  readonly heard: number[] = [];
  readonly heardUnplaced = 0;
  readonly #changed: number[] = [];
  readonly #removed: number[] = [];
  readonly #numbers = new Map<number, number>();
  readonly #hasChanges: boolean;
  readonly #feed: LiveFeed;
  #restarts = 0;

  private constructor(proxy: TcpProxy, token: string, flow: AlarmFlow) {
    super(proxy);
    this.#hasChanges = flow.hasChanges;
    this.#feed = new LiveFeed({
      url: `http://127.0.0.1:${proxy.port}/alarmHub`,
      token: () => token,
      filter: { changes: true },
      pausesMs: [retryMs],
      listener: {
        onAlarm: ({ id, path }) => {
          this.#numbers.set(id, numberOf(path));
          this.heard.push(numberOf(path));
        },
        onAlarmChanged: ({ path }) => this.#changed.push(numberOf(path)),
        onAlarmRemoved: (id) => this.#removed.push(this.#numbers.get(id) ?? 0),
        onRestart: () => {
          this.#restarts += 1;
        },
      },
    });
  }

  static async start(url: string, token: string, flow: AlarmFlow): Promise<CutClient> {
    const client = new FeedCutClient(await startProxy(Number(new URL(url).port)), token, flow);
    client.#feed.start();
    await client.settle();
    return client;
  }

  async settle(): Promise<void> {
    await until(
      () => this.#feed.state.kind,
      (kind) => kind === 'live',
    );
  }

  faults(last: number): string[] {
    return [
      ...notOnce('the raise', this.heard, last),
      ...(this.#hasChanges
        ? [...notOnce('the change', this.#changed, last), ...notOnce('the removal', this.#removed, last)]
        : []),
      ...(this.#restarts === 1 ? [] : [`read everything ${this.#restarts} times with ${this.cuts} cuts`]),
    ];
  }

  protected override hasHeard(number: number): boolean {
    return super.hasHeard(number) && (!this.#hasChanges || this.#removed.includes(number));
  }

  protected leave(): Promise<void> {
    return this.#feed.stop();
  }
}
