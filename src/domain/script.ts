// Scripts that alarms may have run: who may ask for one, what a script takes, and what became of it. Pure.

import type { AlarmAction, AlarmDefinition, DefinitionChange } from './alarms/definition.ts';

/** The scripts there are, by id, each with the pattern its parameter has to match as a whole, if it has one. */
export type Scripts = ReadonlyMap<number, string | undefined>;

/** What is to be run, and for which alarm. */
export type ScriptOrder = {
  readonly id: number;
  readonly scriptId: number;
  readonly parameter: string;
  readonly alarmId: number;
  readonly alarmPath: string;
};

export type ScriptResult = {
  readonly outcome: 'succeeded' | 'failed' | 'timed-out' | 'stopped' | 'unknown' | 'too-late';
  readonly exitCode?: number;
  readonly detail: string;
  /** The beginning of what it wrote. */
  readonly output: string;
};

/** Ends nobody needs to be told of. */
export const quietOutcomes: ReadonlySet<ScriptResult['outcome']> = new Set(['succeeded', 'stopped']);

const longestParameter = 1_024;
const longestPattern = 256;

export function isCommand({ type }: Pick<AlarmAction, 'type'>): boolean {
  return type === 'ExecuteCommand' || type === 'StopCommand';
}

/** Why a command is not run; undefined when it is. No scripts at all means that commands are switched off. */
export function whyNotRun(action: AlarmAction, scripts: Scripts | undefined): string | undefined {
  if (scripts === undefined) return 'commands are switched off';
  if (action.allowed !== true) return 'whoever asks for a command needs the scope commands:run';
  if (!scripts.has(action.scriptId)) return `script ${action.scriptId} does not exist`;
  return action.type === 'StopCommand' ? undefined : whyNotTaken(action, scripts.get(action.scriptId));
}

/** Why a script does not take a parameter. */
export function whyNotTaken(
  { scriptId, parameter }: Pick<AlarmAction, 'scriptId' | 'parameter'>,
  pattern: string | undefined,
): string | undefined {
  // First, so that no pattern ever sees a long text.
  if (new TextEncoder().encode(parameter).length > longestParameter)
    return `the parameter is longer than ${longestParameter} bytes`;
  if (parameter.includes('\0')) return 'the parameter has a NUL';
  if (pattern === undefined || new RegExp(`^(?:${pattern})$`, 'u').test(parameter)) return undefined;
  return `the parameter is not one that script ${scriptId} takes`;
}

/**
 * What is wrong with a pattern. A match is tried in at most as many ways as its choices multiply to, so that number is
 * bounded: a pattern that takes for ever would hold up every alarm.
 */
export function patternMistake(pattern: string): string | undefined {
  if (pattern.length > longestPattern) return `is longer than ${longestPattern} characters`;
  try {
    new RegExp(`^(?:${pattern})$`, 'u');
  } catch {
    return 'is no regular expression';
  }
  if (/\\[1-9k]|\(\?(?!:)/.test(pattern)) return 'looks back or ahead';
  const bare = pattern.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
  if (/\)[*+{]/.test(bare)) return 'repeats a group';
  const choices = [...bare.matchAll(/[*+|]|(?<!\()\?|\{(\d+)(,?)(\d*)\}/g)].map(choicesOf);
  return choices.reduce((product, count) => product * count, 1) > 2 ** 22 ? 'can match in too many ways' : undefined;
}

function choicesOf([text, least, comma, most]: RegExpMatchArray): number {
  if (text === '?' || text === '|') return 2;
  if (text === '*' || text === '+' || (comma === ',' && most === '')) return longestParameter;
  return comma === ',' ? Number(most) - Number(least) + 1 : 1;
}

/**
 * A list as it was sent, its commands marked when whoever sent it may have them run. The same list sent again by somebody
 * who may not stays as it was allowed: it changes nothing, and raising the alarm without it would run it too.
 */
export function permittedList(
  sent: readonly AlarmAction[],
  mayRun: boolean,
  before: readonly AlarmAction[],
): readonly AlarmAction[] {
  if (!sent.some(isCommand)) return sent;
  if (mayRun) return sent.map((action) => (isCommand(action) ? { ...action, allowed: true } : action));
  return JSON.stringify(sent) === JSON.stringify(before.map(withoutPermission)) ? before : sent;
}

export function withoutPermission({ allowed: _, foreign: __, ...action }: AlarmAction): AlarmAction {
  return action;
}

/** A change of a definition as whoever sent it may make it. */
export function permittedChange(change: DefinitionChange, mayRun: boolean, before: AlarmDefinition): DefinitionChange {
  let permitted = change;
  for (const list of ['alarm', 'reset', 'ack'] as const) {
    const sent = change[list]?.actions;
    if (sent === undefined || !sent.some(isCommand)) continue;
    const actions = permittedList(sent, mayRun, before[list].actions);
    permitted = { ...permitted, [list]: { ...change[list], actions } };
  }
  return permitted;
}

/** A path as a script may see it: letters, digits and a few marks, whatever a careless script does with them. */
export function plainPath(path: string): string {
  return path.replace(/[^\p{L}\p{N} ._/\\:#@+-]/gu, '_');
}
