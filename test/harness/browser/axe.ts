// Runs axe-core in a page and returns the violations of accessibility rules that it finds.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const axeFile = fileURLToPath(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url));

/** The rules whose outcome depends on the theme, which changes nothing but colours. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

type Violation = { readonly id: string; readonly impact: string; readonly nodes: readonly { readonly html: string }[] };

/** Returns the serious and critical findings of all rules, each with the first element it is about. */
export function hindrances(page: Page): Promise<readonly string[]> {
  return violations(page, { resultTypes: ['violations'] });
}

/** Returns those of the rules about colours alone, for a page that has passed all rules in another theme. */
export function hindrancesOfColours(page: Page): Promise<readonly string[]> {
  return violations(page, { resultTypes: ['violations'], runOnly: rulesOfColours });
}

async function violations(page: Page, options: object): Promise<readonly string[]> {
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(await readFile(axeFile, 'utf8'));
  const found = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as {
    readonly violations: readonly Violation[];
  };
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
}
