// Starts a server whose sources have failpoints, as a process of its own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, stop } from 'esbuild';
import { bundleOptions } from '../../../bin/bundle.mjs';
import { sourcesOf, withFailpoints } from './places.ts';
import type { FromServer } from './runtime.ts';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
const runtime = new URL('./runtime.ts', import.meta.url);

export type FailpointServer = {
  readonly url: string;
  readonly pid: number;
  /** Places that ran at least once, and those that threw, in order. */
  readonly passed: ReadonlySet<string>;
  readonly thrown: readonly string[];
  readonly hasEnded: boolean;
  /** Everything it wrote. */
  output(): string;
  /** Lets each of these places throw once, from its next run on. */
  arm(names: Iterable<string>): void;
  end(): Promise<void>;
};

const instrumented: Plugin = {
  name: 'failpoints',
  setup({ onLoad }) {
    const files = new Set(sourcesOf(root));
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const file = relative(root, path);
      if (!files.has(file)) return undefined;
      return { contents: withFailpoints(file, readFileSync(path, 'utf8')), loader: 'js' };
    });
  },
};

/** Bundles the server with failpoints; returns the folder. */
export async function bundleWithFailpoints(t: TestContext): Promise<string> {
  const folder = mkdtempSync(join(root, 'node_modules', '.failpoints-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const entryPoints = ['src/main.ts', 'src/store-worker.ts', 'src/voice-worker.ts', 'src/loop-worker.ts'];
  await build({ ...bundleOptions, absWorkingDir: root, entryPoints, outdir: folder, plugins: [instrumented] });
  await stop();
  return folder;
}

export async function startFailpointServer(
  t: TestContext,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<FailpointServer> {
  const child = spawn(process.execPath, ['--import', runtime.href, join(folder, 'main.js'), 'serve'], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => (text += part));
  const passed = new Set<string>();
  const thrown: string[] = [];
  child.on('message', (message: FromServer) => {
    if ('passed' in message) passed.add(message.passed);
    else thrown.push(message.thrown);
  });
  const closed = once(child, 'close');
  t.after(() => child.kill('SIGKILL'));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = /ready at (\S+)/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    void closed.then(() => reject(new Error(`the server ended: ${text}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    passed,
    thrown,
    get hasEnded() {
      return child.exitCode !== null || child.signalCode !== null;
    },
    output: () => text,
    arm: (names) => void child.send({ arm: [...names] }),
    async end() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
