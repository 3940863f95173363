// What a page of the console says to whoever looks at it, but for what passes by itself: the clock and ages.

import type { Page } from 'playwright-core';

/** Runs in the page: the lines on screen, without the clock, how long ago news came, and lists of choices. */
const linesOnScreen = `(() => {
  const skipped = 'script, noscript, option, [aria-live], [data-link] .figures, header > :last-child';
  const lines = [];
  const read = (node, style) => {
    for (const child of node.childNodes) {
      if (child.nodeType === 3 && child.data.trim() !== '') lines.push(child.data.trim());
      if (child.nodeType !== 1 || child.matches(skipped)) continue;
      const { display, visibility } = getComputedStyle(child);
      if (display === 'none' || visibility === 'hidden') continue;
      // Of a dialog its title: the rest is a form.
      if (child.matches('dialog, [role=dialog]')) lines.push(child.querySelector('h1, h2')?.textContent ?? 'dialog');
      else read(child);
    }
  };
  read(document.body);
  return lines;
})()`;

export async function textsIn(page: Page): Promise<readonly string[]> {
  const lines = (await page.evaluate(linesOnScreen)) as readonly string[];
  return lines.flatMap((line) => withoutTime(line).split(' · '));
}

/** Without ages, as `3 s`, what goes on, as `0:41 left`, and the figure of an estimate. */
function withoutTime(line: string): string {
  return line.replaceAll(/\b\d+ (?:s|min|h|d)\b|^\d+:\d\d(?=$| left$)/g, '…').replace(/^≈ \d+$/, '≈');
}
