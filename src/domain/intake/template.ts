// Reads texts out of foreign JSON by templates such as `{labels.alertname|title} on {labels.instance}`.

/** The parts of a template: literal text, or the paths of which the first that leads to a text counts. */
export type Template = readonly (string | readonly string[])[];

const placeholder = /\{([^{}]*)\}/;

/** Splits a template into its parts. Texts that were filled in are never read as templates again. */
export function parseTemplate(text: string): Template {
  return text
    .split(placeholder)
    .map((part, index) => (index % 2 === 0 ? part : part.split('|').map((path) => path.trim())))
    .filter((part) => part !== '');
}

/** Fills in a template; paths lead into the first of the objects that has a text there. Undefined if no path led to one. */
export function fill(template: Template, objects: readonly unknown[]): string | undefined {
  const texts = template.map((part) => (typeof part === 'string' ? part : firstText(part, objects)));
  const hasFound = template.some((part, index) => typeof part !== 'string' && texts[index] !== undefined);
  return hasFound ? texts.join('').trim() : undefined;
}

function firstText(paths: readonly string[], objects: readonly unknown[]): string | undefined {
  for (const path of paths)
    for (const object of objects) {
      const found = textOf(valueAt(object, path));
      if (found !== undefined) return found;
    }
  return undefined;
}

/** Returns the text of a scalar, or of the scalars of a list; undefined for what is empty or has none. */
export function textOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return nonEmpty(value.flatMap((item) => scalarText(item) ?? []).join(', '));
  return scalarText(value);
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return nonEmpty(value.trim());
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function nonEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}

/** A longer path is looked up by its first steps alone, so that keys with dots cost no more than this allows. */
const mostSteps = 8;

/**
 * Returns the value that a path of keys and positions, such as `alerts.0.labels.severity`, leads to. Keys may contain dots:
 * `labels.app.kubernetes.io/name` is found too.
 */
export function valueAt(object: unknown, path: string): unknown {
  return valueAlong(object, path.split('.', mostSteps));
}

function valueAlong(object: unknown, steps: readonly string[]): unknown {
  if (steps.length === 0) return object;
  if (typeof object !== 'object' || object === null) return undefined;
  for (let taken = 1; taken <= steps.length; taken++) {
    const key = steps.slice(0, taken).join('.');
    if (!Object.hasOwn(object, key)) continue;
    const value = valueAlong((object as Readonly<Record<string, unknown>>)[key], steps.slice(taken));
    if (value !== undefined) return value;
  }
  return undefined;
}
