// Maps the body that a monitoring system sends to reports of alarms. Pure; what cannot be mapped is returned with the reason.

import { fill, parseTemplate, textOf, valueAt } from './template.ts';

/** How the bodies of one kind of sender are read. Templates have their paths in braces. */
export type Mapping = {
  /** The path to the list of alarms; not given: the body is one alarm. */
  readonly each?: string;
  /** The template of the tag. */
  readonly path: string;
  /** The path of what tells apart alarms of one tag; it is appended to the tag. */
  readonly identity?: string;
  readonly alarmMessage?: string;
  readonly instructions?: string;
  readonly value?: string;
  /** Where it says whether the alarm is raised, and the words for it. Any other word counts as raised. */
  readonly raised?: { readonly from: string; readonly true: readonly string[]; readonly false: readonly string[] };
  readonly priority?: {
    readonly from: string;
    readonly map: Readonly<Record<string, number>>;
    readonly default: number;
  };
  /** The path of the time when the sender saw it. */
  readonly time?: string;
  /** Which items only say that the sender is alive. */
  readonly heartbeat?: { readonly from: string; readonly values: readonly string[] };
  /** Whether a return to normal ends the calls: the alarms of monitoring systems end by themselves. */
  readonly endOnReturn: boolean;
};

export type MappedAlarm = {
  readonly path: string;
  readonly raised: boolean;
  readonly priority: number | undefined;
  readonly alarmMessage: string | undefined;
  readonly instructions: string | undefined;
  readonly value: string | undefined;
  readonly time: string | undefined;
  readonly warnings: readonly string[];
};

export type Mapped =
  | { readonly kind: 'alarm'; readonly alarm: MappedAlarm }
  | { readonly kind: 'heartbeat' }
  | { readonly kind: 'unmapped'; readonly reason: string };

/** A mapping with its templates parsed. */
export type PreparedMapping = ReturnType<typeof prepareMapping>;

export function prepareMapping(mapping: Mapping) {
  const template = (text: string | undefined) => (text === undefined ? undefined : parseTemplate(text));
  return {
    ...mapping,
    path: parseTemplate(mapping.path),
    alarmMessage: template(mapping.alarmMessage),
    instructions: template(mapping.instructions),
    value: template(mapping.value),
  };
}

/** The items of a body, each of which is mapped by itself; undefined if the list is missing. */
export function itemsOf({ each }: Pick<Mapping, 'each'>, body: unknown): readonly unknown[] | undefined {
  if (each === undefined) return [body];
  const items = valueAt(body, each);
  return Array.isArray(items) ? items : undefined;
}

/** Maps an item of a body. What the item does not say is looked for in the body. */
export function mapItem(mapping: PreparedMapping, item: unknown, body: unknown): Mapped {
  const objects = item === body ? [body] : [item, body];
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return { kind: 'unmapped', reason: 'it is no object' };
  if (isHeartbeat(mapping, objects)) return { kind: 'heartbeat' };
  const tag = fill(mapping.path, objects);
  if (tag === undefined) return { kind: 'unmapped', reason: 'nothing in it names the alarm' };
  const identity = mapping.identity === undefined ? undefined : textAt(objects, mapping.identity);
  const warnings: string[] = [];
  const text = (template: PreparedMapping['value']) => (template === undefined ? undefined : fill(template, objects));
  const alarm = {
    path: identity === undefined ? tag : `${tag}/${identity}`,
    raised: isRaised(mapping, objects, warnings),
    priority: priorityOf(mapping, objects, warnings),
    alarmMessage: text(mapping.alarmMessage),
    instructions: text(mapping.instructions),
    value: text(mapping.value),
    time: mapping.time === undefined ? undefined : textAt(objects, mapping.time),
    warnings,
  };
  return { kind: 'alarm', alarm };
}

function textAt(objects: readonly unknown[], path: string): string | undefined {
  return objects.map((object) => textOf(valueAt(object, path))).find((text) => text !== undefined);
}

/** Compares words as people write them: in upper or lower case. */
function isAmong(words: readonly string[], text: string): boolean {
  return words.some((word) => word.toLowerCase() === text.toLowerCase());
}

function isHeartbeat({ heartbeat }: PreparedMapping, objects: readonly unknown[]): boolean {
  const text = heartbeat && textAt(objects, heartbeat.from);
  return heartbeat !== undefined && text !== undefined && isAmong(heartbeat.values, text);
}

/** An alarm whose state is unknown is raised: that can be put right later. */
function isRaised({ raised }: PreparedMapping, objects: readonly unknown[], warnings: string[]): boolean {
  if (raised === undefined) return true;
  const text = textAt(objects, raised.from);
  if (text !== undefined && isAmong(raised.false, text)) return false;
  if (text === undefined || !isAmong(raised.true, text))
    warnings.push(`${raised.from}: ${text === undefined ? 'is missing' : `"${text}" is unknown`}; taken as raised`);
  return true;
}

function priorityOf({ priority }: PreparedMapping, objects: readonly unknown[], warnings: string[]) {
  if (priority === undefined) return undefined;
  const text = textAt(objects, priority.from);
  if (text === undefined) return priority.default;
  const known = Object.entries(priority.map).find(([word]) => word.toLowerCase() === text.toLowerCase());
  if (known !== undefined) return known[1];
  warnings.push(`${priority.from}: "${text}" is unknown; taken as priority ${priority.default}`);
  return priority.default;
}
