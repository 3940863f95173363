// Compares the hub with a bare WebSocket server, and measures it with many clients, cuts and restarts: `npm run
// bench:hub`.

import { cuts } from './hub/cuts.ts';
import { fanOut } from './hub/fan-out.ts';
import { latency } from './hub/latency.ts';
import { memory } from './hub/memory.ts';
import { reach } from './hub/reach.ts';
import { restart } from './hub/restart.ts';
import { Stage } from './hub/stage.ts';
import { storm } from './hub/storm.ts';
import { unread } from './hub/unread.ts';
import { runBench } from './run-bench.ts';

/** Each part returns whether its bar is met. */
const parts: Readonly<Record<string, (stage: Stage) => Promise<boolean>>> = {
  'fan-out': fanOut,
  memory,
  latency,
  reach,
  restart,
  cuts,
  storm,
  unread,
};

const usage = `npm run bench:hub [${Object.keys(parts).join('] [')}]
Without a name all of them, one after another.`;

/** Both ends of 10,000 connections are on this machine, each end in its own process. */
const neededFiles = 11_000;

function checkLimit(): void {
  const report = process.report.getReport() as unknown as {
    userLimits: { open_files: { hard: number | 'unlimited' } };
  };
  const { hard } = report.userLimits.open_files;
  if (hard === 'unlimited' || hard >= neededFiles) return;
  console.error(
    `A process may open ${hard} files here and needs ${neededFiles}: raise it with ulimit -Hn ${neededFiles}.`,
  );
  process.exit(64);
}

const named = process.argv.slice(2);
const unknown = named.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) {
  console.error(`There is no part ${unknown}.\nUsage: ${usage}`);
  process.exit(64);
}
checkLimit();
await runBench({
  needs: [],
  async measure() {
    const missed: string[] = [];
    for (const [name, part] of Object.entries(parts)) {
      if (named.length > 0 && !named.includes(name)) continue;
      const stage = new Stage();
      try {
        if (!(await part(stage))) missed.push(name);
      } finally {
        await stage.end();
      }
    }
    console.log(missed.length === 0 ? '\nAll bars held.' : `\nBars missed: ${missed.join(', ')}.`);
    return missed.length === 0;
  },
});
