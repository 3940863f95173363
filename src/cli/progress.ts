// Shows on stderr how far a long command has come; one that takes no longer than a second shows nothing.

const everyMs = 1_000;

export type Progress = { add(rows: number): void; end(): void };

/** `total` gives a percentage, where it is known. */
export function showProgress(doing: string, total?: number): Progress {
  let rows = 0;
  let shown = performance.now();
  return {
    // From within the work rather than by a timer, which a long run of rows would not let in.
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

/** Passes items on and tells the progress how many rows went by. */
export async function* counted<T extends { readonly rows: readonly unknown[] }>(
  items: AsyncIterable<T>,
  progress: Progress,
): AsyncGenerator<T> {
  for await (const item of items) {
    progress.add(item.rows.length);
    yield item;
  }
}
