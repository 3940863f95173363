// The script runner: takes due script runs, a few at once, watches each process, and records the outcome.

import { setTimeout as pause } from 'node:timers/promises';
import type { SteadyClock } from '../clock.ts';
import { type ScriptOrder, type ScriptResult, type Scripts, whyNotTaken } from '../domain/script.ts';
import { hasNodeScripts, setNodeScripts } from '../operations/scripts/node-scripts.ts';
import { findScriptWork } from '../operations/scripts/queries.ts';
import { endScriptRun, renewScriptRuns, takeScriptRuns } from '../operations/scripts/script-runs.ts';
import type { Store } from '../store/store.ts';
import { PollingLoop } from './polling-loop.ts';
import { type RunningScript, runScript, type ScriptEnd, type ScriptUser } from './run-process.ts';
import { type FoundScripts, readScripts } from './script-folder.ts';

/**
 * Due times are compared with a clock that can be stepped, so the runner polls instead of sleeping until a due time.
 */
const pollEveryMs = 200;
/** A node without a folder only ends the runs that no node has begun in time. */
const pollWithoutFolderMs = 5_000;
const readFolderEveryMs = 5_000;
const leaseMs = 10_000;
const renewEveryMs = 3_000;
const retryDelayMs = 500;
const mostAtOnce = 4;
const longestRunMs = 30_000;
/** Time from SIGTERM to SIGKILL. */
const graceMs = 2_000;
const outputShown = 1_024;

type ScriptRunnerParts = {
  readonly store: Store;
  readonly clock: SteadyClock;
  readonly nodeId: string;
  readonly nodeName: string;
  /** Prefix of the ids of nodes that have ended; undefined: others may still run. */
  readonly endedNodes: string | undefined;
  /** Undefined: this node runs no scripts; others may. */
  readonly folder: string | undefined;
  /** Undefined: scripts run as the user of the server. */
  readonly user: ScriptUser | undefined;
  readonly onTrouble: (error: unknown) => void;
  /** Called for each file of the folder that is not accepted. */
  readonly onNotice: (sentence: string) => void;
};

type Ending = { readonly outcome: ScriptResult['outcome']; readonly detail: string; readonly since: number };

type HeldRun = {
  readonly order: ScriptOrder;
  /** By the elapsed time: a step of the clock does not count as running time. */
  readonly since: number;
  script: RunningScript | undefined;
  /** Set when the script was asked to end. */
  ending: Ending | undefined;
};

export class ScriptRunner {
  readonly #parts: ScriptRunnerParts;
  readonly #heldRuns = new Map<number, HeldRun>();
  readonly #finished = new Set<Promise<void>>();
  #renewing: NodeJS.Timeout | undefined;
  #reading: NodeJS.Timeout | undefined;
  #unsubscribe: () => void = () => {};
  #loop: PollingLoop | undefined;
  #known = '';
  #scriptIds: readonly number[] = [];
  #folderRead: Promise<unknown> = Promise.resolve();

  constructor(parts: ScriptRunnerParts) {
    this.#parts = parts;
  }

  /** When this resolves, the scripts of the folder are known to alarms. */
  async start(): Promise<void> {
    const { store, folder, onTrouble } = this.#parts;
    await this.#readFolder();
    if (folder !== undefined) this.#unsubscribe = store.onEvents(() => this.#loop?.wakeSoon());
    const everyMs = folder === undefined ? pollWithoutFolderMs : pollEveryMs;
    this.#loop = new PollingLoop(everyMs, () => this.#work(), onTrouble);
    this.#renewing = setInterval(() => void this.#renew().catch(onTrouble), renewEveryMs);
    this.#reading = setInterval(() => {
      this.#folderRead = this.#readFolder().catch(onTrouble);
    }, readFolderEveryMs);
  }

  async poll(): Promise<void> {
    await this.#loop?.poll();
  }

  /** Reads the folder no more: what it stored would come after the node was withdrawn. */
  async endFolderReads(): Promise<void> {
    clearInterval(this.#reading);
    await this.#folderRead;
  }

  /** Ends running scripts and records that: no process would watch them after the shutdown. */
  async stop(): Promise<void> {
    clearInterval(this.#renewing);
    this.#unsubscribe();
    await Promise.all([this.#loop?.stop(), this.endFolderReads()]);
    for (const held of this.#heldRuns.values()) this.#end(held, 'failed', 'the server was stopped while it ran');
    const kill = setTimeout(() => {
      for (const { script } of this.#heldRuns.values()) script?.signal('SIGKILL');
    }, graceMs);
    await Promise.all(this.#finished);
    clearTimeout(kill);
  }

  /** Stores the list of scripts if the folder has changed, or if another node took this one for gone. */
  async #readFolder(): Promise<void> {
    const { store, nodeId: node, nodeName, endedNodes, folder, onNotice } = this.#parts;
    const { scripts, refused } = await foundIn(folder);
    const taken: Scripts = new Map([...scripts].map(([id, { pattern }]) => [id, pattern]));
    const known = JSON.stringify([[...taken], refused]);
    if (this.#loop?.isStopped) return;
    if (known === this.#known && (await store.read(hasNodeScripts, { node }))) return;
    this.#scriptIds = [...taken.keys()];
    const own = folder === undefined ? undefined : taken;
    await store.write(setNodeScripts, { node, nodeName, endedNodes, scripts: own });
    if (known === this.#known) return;
    this.#known = known;
    for (const sentence of refused) onNotice(`A script is not taken: ${sentence}.`);
  }

  async #work(): Promise<void> {
    for (const held of this.#heldRuns.values()) this.#watch(held);
    const { store, clock, nodeId, folder } = this.#parts;
    for (;;) {
      const work = await store.read(findScriptWork, { now: clock.now(), node: nodeId, scriptIds: this.#scriptIds });
      for (const id of work.toStop) {
        const held = this.#heldRuns.get(id);
        if (held !== undefined) this.#end(held, 'stopped', 'stopped by the alarm');
      }
      const room = folder === undefined ? 0 : mostAtOnce - this.#heldRuns.size;
      if (this.#loop?.isStopped || !(work.hasLapsed || (work.isDue && room > 0))) return;
      const taking = {
        node: nodeId,
        leaseMs,
        room,
        scriptIds: this.#scriptIds,
        heldRunIds: [...this.#heldRuns.keys()],
      };
      for (const order of await store.write(takeScriptRuns, taking)) this.#begin(order);
    }
  }

  #begin(order: ScriptOrder): void {
    const held: HeldRun = { order, since: this.#parts.clock.elapsed(), script: undefined, ending: undefined };
    this.#heldRuns.set(order.id, held);
    const finished = this.#run(held)
      .catch(this.#parts.onTrouble)
      .finally(() => {
        this.#heldRuns.delete(order.id);
        this.#finished.delete(finished);
        void this.poll();
      })
      .catch(this.#parts.onTrouble);
    this.#finished.add(finished);
  }

  async #run(held: HeldRun): Promise<void> {
    const { order } = held;
    const { folder, user } = this.#parts;
    try {
      const found = resolveScript(order, await foundIn(folder));
      if (found.reason !== undefined) return await this.#record(order, failed(found.reason));
      // Skipped if the run was asked to end before it started.
      if (held.ending === undefined) held.script = await runScript(found.file, order, user);
    } catch (error) {
      this.#parts.onTrouble(error);
      return await this.#record(order, failed('it could not be begun'));
    }
    if (held.ending !== undefined) held.script?.signal('SIGTERM');
    const end = await held.script?.ended;
    await this.#record(order, resultOf(end, held.ending));
  }

  /** Ends a script that runs too long, and kills one that ignores SIGTERM. */
  #watch(held: HeldRun): void {
    const now = this.#parts.clock.elapsed();
    if (held.ending !== undefined) {
      if (now - held.ending.since >= graceMs) held.script?.signal('SIGKILL');
    } else if (now - held.since >= longestRunMs) {
      this.#end(held, 'timed-out', `it took longer than ${longestRunMs / 1000} seconds and was ended`);
    }
  }

  #end(held: HeldRun, outcome: ScriptResult['outcome'], detail: string): void {
    if (held.ending !== undefined) return;
    held.ending = { outcome, detail, since: this.#parts.clock.elapsed() };
    held.script?.signal('SIGTERM');
  }

  /** Retries until the outcome is stored or the server stops. */
  async #record({ id }: ScriptOrder, result: ScriptResult): Promise<void> {
    const { store, nodeId, onTrouble } = this.#parts;
    for (;;) {
      try {
        await store.write(endScriptRun, { node: nodeId, id, result });
        return;
      } catch (error) {
        onTrouble(error);
        if (this.#loop?.isStopped) return;
        await pause(retryDelayMs);
      }
    }
  }

  async #renew(): Promise<void> {
    const ids = [...this.#heldRuns.keys()];
    const { store, nodeId } = this.#parts;
    if (ids.length > 0 && !this.#loop?.isStopped) await store.write(renewScriptRuns, { node: nodeId, leaseMs, ids });
  }
}

async function foundIn(folder: string | undefined): Promise<FoundScripts> {
  return folder === undefined ? { scripts: new Map(), refused: [] } : readScripts(folder);
}

/** Returns the file of the script, or why it may not run: the folder may have changed since the alarm was raised. */
function resolveScript(order: ScriptOrder, { scripts }: FoundScripts) {
  const script = scripts.get(order.scriptId);
  if (script === undefined) return { reason: 'the script is not there any more' } as const;
  return { reason: whyNotTaken(order, script.pattern), file: script.file };
}

function failed(detail: string): ScriptResult {
  return { outcome: 'failed', detail, output: '' };
}

function resultOf(end: ScriptEnd | undefined, ending: Ending | undefined): ScriptResult {
  const output = printable(end?.output ?? '');
  const exitCode = end?.exitCode ?? undefined;
  const code = exitCode === undefined ? {} : { exitCode };
  if (ending !== undefined) return { outcome: ending.outcome, ...code, detail: ending.detail, output };
  if (end?.trouble !== undefined) return failed(`it could not be begun (${end.trouble})`);
  if (exitCode === 0) return { outcome: 'succeeded', ...code, detail: 'it ended well', output };
  const detail = exitCode === undefined ? `it was ended by ${end?.signal}` : `it ended with exit code ${exitCode}`;
  return { outcome: 'failed', ...code, detail, output };
}

/** Returns the beginning of the output for display, without control characters. */
function printable(output: string): string {
  return output.slice(0, outputShown).replace(/[^\P{C}\n\t]/gu, '�');
}
