// Carries out commands: takes the runs that are due, a few at once, watches each script, and records what became of it.

import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { type ScriptOrder, type ScriptResult, type Scripts, whyNotTaken } from '../domain/script.ts';
import { findScriptWork } from '../operations/scripts/queries.ts';
import { endScriptRun, renewScriptRuns, setScripts, takeScriptRuns } from '../operations/scripts/script-runs.ts';
import type { EventFeed } from '../store/event-feed.ts';
import type { StoredEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import { PollingLoop } from './polling-loop.ts';
import { type RunningScript, runScript, type ScriptEnd, type ScriptUser } from './run-process.ts';
import { type FoundScripts, readScripts } from './script-folder.ts';

/** Clocks move without telling. */
const pollEveryMs = 200;
const readFolderEveryMs = 5_000;
const leaseMs = 10_000;
const renewEveryMs = 3_000;
const tryAgainMs = 500;
const mostAtOnce = 4;
const longestRunMs = 30_000;
/** From asking a script to end to ending it. */
const graceMs = 2_000;
const outputShown = 1_024;

type CommandsParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly feed: EventFeed;
  readonly nodeId: string;
  readonly folder: string;
  /** Undefined: the one the server runs as. */
  readonly user: ScriptUser | undefined;
  readonly onTrouble: (error: unknown) => void;
  /** Told of what in the folder is not taken. */
  readonly onNotice: (sentence: string) => void;
};

type Ending = { readonly outcome: ScriptResult['outcome']; readonly detail: string; since: number };

type InHand = {
  readonly order: ScriptOrder;
  since: number;
  script: RunningScript | undefined;
  /** Why it was told to end. */
  ending: Ending | undefined;
};

export class ScriptRunner {
  readonly #parts: CommandsParts;
  readonly #inHand = new Map<number, InHand>();
  readonly #finished = new Set<Promise<void>>();
  #timers: NodeJS.Timeout[] = [];
  #forget: () => void = () => {};
  #loop: PollingLoop | undefined;
  #known = '';
  #folderRead: Promise<unknown> = Promise.resolve();

  constructor(parts: CommandsParts) {
    this.#parts = parts;
  }

  /** From when this resolves, alarms may ask for the scripts there are. */
  async start(): Promise<void> {
    const { store, feed, onTrouble } = this.#parts;
    await this.#readFolder();
    const ends = [
      store.onEvents(() => this.#loop?.wakeSoon()),
      feed.subscribe((event) => this.#hear(event), 'but-alarms'),
    ];
    this.#forget = () => ends.forEach((end) => void end());
    this.#loop = new PollingLoop(pollEveryMs, () => this.#work(), onTrouble);
    this.#timers = [
      setInterval(() => void this.#renew().catch(onTrouble), renewEveryMs),
      setInterval(() => {
        this.#folderRead = this.#readFolder().catch(onTrouble);
      }, readFolderEveryMs),
    ];
  }

  poll(): void {
    this.#loop?.poll();
  }

  /** What runs is ended, and that is recorded: nobody would see to it any more. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#forget();
    await Promise.all([this.#loop?.stop(), this.#folderRead]);
    for (const held of this.#inHand.values()) this.#end(held, 'failed', 'the server was stopped while it ran');
    const kill = setTimeout(() => {
      for (const { script } of this.#inHand.values()) script?.signal('SIGKILL');
    }, graceMs);
    await Promise.all(this.#finished);
    clearTimeout(kill);
  }

  /** When the clock is set ahead, what runs has not run for longer. */
  #hear({ kind, data }: StoredEvent): void {
    if (kind !== 'clock.stepped') return;
    for (const held of this.#inHand.values()) {
      held.since += Number(data.forwardMs);
      if (held.ending !== undefined) held.ending.since += Number(data.forwardMs);
    }
  }

  /** Tells the store of scripts that came or went. */
  async #readFolder(): Promise<void> {
    const { store, folder, onNotice } = this.#parts;
    const { scripts, refused } = await readScripts(folder);
    const taken: Scripts = new Map([...scripts].map(([id, { pattern }]) => [id, pattern]));
    const known = JSON.stringify([[...taken], refused]);
    if (known === this.#known || this.#loop?.isStopped) return;
    await store.write(setScripts, { scripts: taken });
    this.#known = known;
    for (const sentence of refused) onNotice(`A script is not taken: ${sentence}.`);
  }

  async #work(): Promise<void> {
    for (const held of this.#inHand.values()) this.#watch(held);
    const { store, clock, nodeId } = this.#parts;
    for (;;) {
      const work = await store.read(findScriptWork, { now: clock.now(), node: nodeId });
      for (const id of work.toStop) {
        const held = this.#inHand.get(id);
        if (held !== undefined) this.#end(held, 'stopped', 'stopped by the alarm');
      }
      const room = mostAtOnce - this.#inHand.size;
      if (this.#loop?.isStopped || !(work.hasLapsed || (work.isDue && room > 0))) return;
      const inHand = [...this.#inHand.keys()];
      for (const order of await store.write(takeScriptRuns, { node: nodeId, leaseMs, room, inHand }))
        this.#begin(order);
    }
  }

  #begin(order: ScriptOrder): void {
    const held: InHand = { order, since: this.#parts.clock.now(), script: undefined, ending: undefined };
    this.#inHand.set(order.id, held);
    const finished = this.#run(held)
      .catch(this.#parts.onTrouble)
      .finally(() => {
        this.#inHand.delete(order.id);
        this.#finished.delete(finished);
        this.poll();
      });
    this.#finished.add(finished);
  }

  async #run(held: InHand): Promise<void> {
    const { order } = held;
    const { folder, user } = this.#parts;
    try {
      const why = whyNotNow(order, await readScripts(folder));
      if (why.reason !== undefined) return await this.#record(order, failed(why.reason));
      // Told to end before it began.
      if (held.ending === undefined) held.script = await runScript(why.file, order, user);
    } catch (error) {
      this.#parts.onTrouble(error);
      return await this.#record(order, failed('it could not be begun'));
    }
    if (held.ending !== undefined) held.script?.signal('SIGTERM');
    const end = await held.script?.ended;
    await this.#record(order, resultOf(end, held.ending));
  }

  /** Ends what takes too long, and what does not end when it is asked to. */
  #watch(held: InHand): void {
    const now = this.#parts.clock.now();
    if (held.ending !== undefined) {
      if (now - held.ending.since >= graceMs) held.script?.signal('SIGKILL');
    } else if (now - held.since >= longestRunMs) {
      this.#end(held, 'timed-out', `it took longer than ${longestRunMs / 1000} seconds and was ended`);
    }
  }

  #end(held: InHand, outcome: ScriptResult['outcome'], detail: string): void {
    if (held.ending !== undefined) return;
    held.ending = { outcome, detail, since: this.#parts.clock.now() };
    held.script?.signal('SIGTERM');
  }

  /** Until it is on stable storage, or the server stops. */
  async #record({ id }: ScriptOrder, result: ScriptResult): Promise<void> {
    const { store, nodeId, onTrouble } = this.#parts;
    for (;;) {
      try {
        await store.write(endScriptRun, { node: nodeId, id, result });
        return;
      } catch (error) {
        onTrouble(error);
        if (this.#loop?.isStopped) return;
        await pause(tryAgainMs);
      }
    }
  }

  async #renew(): Promise<void> {
    const ids = [...this.#inHand.keys()];
    const { store, nodeId } = this.#parts;
    if (ids.length > 0 && !this.#loop?.isStopped) await store.write(renewScriptRuns, { node: nodeId, leaseMs, ids });
  }
}

/** The folder may be another since the alarm was raised. */
function whyNotNow(order: ScriptOrder, { scripts }: FoundScripts) {
  const script = scripts.get(order.scriptId);
  if (script === undefined) return { reason: 'the script is not there any more' } as const;
  return { reason: whyNotTaken(order, script.pattern), file: script.file };
}

function failed(detail: string): ScriptResult {
  return { outcome: 'failed', detail, output: '' };
}

function resultOf(end: ScriptEnd | undefined, ending: Ending | undefined): ScriptResult {
  const output = shown(end?.output ?? '');
  const exitCode = end?.exitCode ?? undefined;
  const code = exitCode === undefined ? {} : { exitCode };
  if (ending !== undefined) return { outcome: ending.outcome, ...code, detail: ending.detail, output };
  if (end?.trouble !== undefined) return failed(`it could not be begun (${end.trouble})`);
  if (exitCode === 0) return { outcome: 'succeeded', ...code, detail: 'it ended well', output };
  const detail = exitCode === undefined ? `it was ended by ${end?.signal}` : `it ended with exit code ${exitCode}`;
  return { outcome: 'failed', ...code, detail, output };
}

/** What people may see of it: a beginning, without what a terminal would obey. */
function shown(output: string): string {
  return output.slice(0, outputShown).replace(/[^\P{C}\n\t]/gu, '�');
}
