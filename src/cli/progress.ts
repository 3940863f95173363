// Shows the progress of a long command on stderr; a command that takes less than a second shows nothing.

const everyMs = 1_000;

type Progress = { add(rows: number): void; end(): void };

/** With `total` it shows a percentage. */
export function showProgress(doing: string, total?: number): Progress {
  let rows = 0;
  let shown = performance.now();
  return {
    // Called from the work instead of a timer, which a long loop over rows would not let run.
    add(more) {
      rows += more;
      if (performance.now() - shown < everyMs) return;
      shown = performance.now();
      const share = total === undefined ? undefined : rows / Math.max(total, 1);
      const percent = share === undefined ? '' : `, ${Math.floor(100 * share)} %`;
      const line = `${doing}: ${number(rows)} rows${percent}`;
      process.stderr.write(process.stderr.isTTY ? `\r${line}${bar(share)}` : `${line}\n`);
    },
    end() {
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    },
  };
}

const barLength = 30;

function bar(share: number | undefined): string {
  if (share === undefined) return '';
  const done = Math.min(barLength, Math.floor(barLength * share));
  return ` [${'#'.repeat(done)}${'.'.repeat(barLength - done)}]`;
}

export function number(value: number): string {
  return value.toLocaleString('en');
}

export function secondsSince(begin: number): string {
  return `${((performance.now() - begin) / 1000).toFixed(1)} s`;
}

/** Passes the batches through and adds their rows to the progress. */
export async function* counted<T extends { readonly rows: readonly unknown[] }>(
  items: AsyncIterable<T>,
  progress: Pick<Progress, 'add'>,
): AsyncGenerator<T> {
  for await (const item of items) {
    progress.add(item.rows.length);
    yield item;
  }
}
