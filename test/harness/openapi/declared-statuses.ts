// Whether the OpenAPI document declares the status of a response: every request of every acceptance test is compared with it.

import { readFileSync } from 'node:fs';

type Operations = Readonly<Record<string, { readonly responses?: Readonly<Record<string, unknown>> }>>;
type Path = { readonly pattern: RegExp; readonly operations: Operations };

const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Operations>>;
};

/** Paths without parameters come first, so that `/alarms/count` is not matched by `/alarms/{id}`. */
const paths: readonly Path[] = Object.entries(document.paths)
  .toSorted(([one], [other]) => one.split('{').length - other.split('{').length)
  .map(([path, operations]) => ({ pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), operations }));

/** Statuses of requests that are refused before they reach a route. */
const beforeRoutes: ReadonlySet<number> = new Set([404, 405, 429, 431]);

export function isDeclared(method: string, address: string, status: number): boolean {
  const [path = ''] = address.split('?', 1);
  const operation = paths.find(({ pattern }) => pattern.test(path))?.operations[method.toLowerCase()];
  return operation?.responses === undefined || beforeRoutes.has(status) || String(status) in operation.responses;
}
