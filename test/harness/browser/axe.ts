// What hinders people with disabilities on a page, as axe-core finds it.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const axeFile = fileURLToPath(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url));

type Violation = { readonly id: string; readonly impact: string; readonly nodes: readonly { readonly html: string }[] };

/** Returns the serious and critical findings, each with the first element it is about. */
export async function hindrances(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(axeFile, 'utf8'));
  const { violations } = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as {
    violations: readonly Violation[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
}
