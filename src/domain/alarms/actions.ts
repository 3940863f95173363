// What the actions of an alarm come to: who would be called, what played or run, and what stands in the way. Pure.

import type { CallTarget } from '../calls/call.ts';
import { type Scripts, whyNotRun, withoutPermission } from '../script.ts';
import type { ActionList, Mask } from './alarm.ts';
import { doubtAbout } from './condition.ts';
import type { AlarmAction, AlarmDefinition } from './definition.ts';

/** What actions and files may name, as far as it exists. */
export type Targets = {
  readonly userIds: ReadonlySet<number>;
  readonly callGroupIds: ReadonlySet<number>;
  readonly mediaNames: ReadonlySet<string>;
  /** Undefined when commands are switched off. */
  readonly scripts: Scripts | undefined;
};

/** Why an action or a file comes to nothing. Alarms of a station with the same cause share one system alarm. */
export type Problem = { readonly field: string; readonly cause: Cause; readonly sentence: string };
type Cause = 'call-group' | 'user' | 'media' | 'command' | 'action-type';

/** An action as it is recorded when it runs, with why nothing comes of it, if so. */
export type RecordedAction = AlarmAction & { readonly list: ActionList; readonly inert?: string };

export const actionLists = ['alarm', 'reset', 'ack'] as const satisfies readonly ActionList[];
/** Actions that name somebody to call. */
export const callTypes: ReadonlySet<string> = new Set(['CallGroup', 'CallUser']);
/** What disturbs people, and is held back while an alarm is masked. */
const loudTypes: ReadonlySet<string> = new Set([...callTypes, 'PlaySound']);

/** Flag bit 1: may see and acknowledge the alarm, but is not called. */
const seesFlag = 2;

export function onlySees({ flags }: Pick<AlarmAction, 'flags'>): boolean {
  return (flags & seesFlag) !== 0;
}

/** What the definitions name, each once. */
export function targetsNamed(definitions: readonly NamesTargets[], actions: readonly AlarmAction[] = []): NamedTargets {
  const named = { userIds: new Set<number>(), callGroupIds: new Set<number>(), mediaNames: new Set<string>() };
  for (const definition of definitions) {
    for (const list of actionLists) {
      const { actions = [], vocalMessageFile = '', attachedFile = '' } = definition[list] ?? {};
      if (vocalMessageFile !== '') named.mediaNames.add(vocalMessageFile);
      if (attachedFile !== '') named.mediaNames.add(attachedFile);
      for (const action of actions) nameTarget(action, named);
    }
  }
  for (const action of actions) nameTarget(action, named);
  return named;
}

type Naming = { readonly userIds: Set<number>; readonly callGroupIds: Set<number>; readonly mediaNames: Set<string> };

function nameTarget({ type, id, parameter }: AlarmAction, named: Naming): void {
  if (type === 'CallUser') named.userIds.add(id);
  else if (type === 'CallGroup') named.callGroupIds.add(id);
  else if (type === 'PlaySound') named.mediaNames.add(parameter);
}

/** A definition, or a change of one. */
type NamesTargets = { readonly [L in ActionList]?: Partial<AlarmDefinition[L]> };
/** What has to be looked up by name. */
export type NamedTargets = Omit<Targets, 'scripts'>;

/** Everything of the definition that cannot be carried out. */
export function problemsOf(definition: AlarmDefinition, targets: Targets): readonly Problem[] {
  const problems: Problem[] = [];
  for (const list of actionLists) {
    const { actions, vocalMessageFile, attachedFile } = definition[list];
    for (const [index, action] of actions.entries()) {
      const problem = problemOf(action, targets);
      if (problem !== undefined) problems.push({ field: `${list}Actions[${index}]`, ...problem });
    }
    if (isMissing(vocalMessageFile, targets))
      problems.push({ field: `${list}VocalMessageFile`, ...missingMedia(vocalMessageFile) });
    if (isMissing(attachedFile, targets))
      problems.push({ field: `${list}AttachedFile`, ...missingMedia(attachedFile) });
  }
  return problems;
}

/** The actions of a list as they run. While an alarm is masked nobody is called and nothing is played; commands go on, so
 * that one can be stopped. */
export function recordedActions(
  list: ActionList,
  actions: readonly AlarmAction[],
  targets: Targets,
  mask: Mask | undefined,
): readonly RecordedAction[] {
  return actions.map((action) => {
    const inert = whyInert(action, targets, mask);
    const shown = action.allowed === undefined ? action : withoutPermission(action);
    return inert === undefined ? { list, ...shown } : { list, ...shown, inert };
  });
}

/** Somebody to be called, after a delay. */
export type WantedCall = { readonly target: CallTarget; readonly delayMs: number };

/**
 * Whom the actions of a list call. When an alarm asks for calls and none of them names anybody there is, the last resort
 * is called: somebody has to hear of it.
 */
export function wantedCalls(
  actions: readonly AlarmAction[],
  targets: Targets,
  list: ActionList,
): readonly WantedCall[] {
  const calls = actions.filter((action) => callTypes.has(action.type) && !onlySees(action));
  const possible = calls.filter((action) => problemOf(action, targets) === undefined);
  if (list === 'alarm' && calls.length > 0 && possible.length === 0) {
    return [{ target: { kind: 'last-resort', id: 0 }, delayMs: Math.min(...calls.map(delayOf)) }];
  }
  return possible.map((action) => ({
    target: { kind: action.type === 'CallGroup' ? 'group' : 'user', id: action.id },
    delayMs: delayOf(action),
  }));
}

/** The parameter of a call is its delay in seconds; what is no number is none. */
function delayOf({ parameter }: AlarmAction): number {
  return isDelay(parameter) ? Number(parameter) * 1000 : 0;
}

function isDelay(parameter: string): boolean {
  return /^\d{1,10}$/.test(parameter.trim());
}

/** What of the definition is carried out, but most likely not as it was meant. */
export function doubtsAbout(definition: AlarmDefinition): readonly Pick<Problem, 'field' | 'sentence'>[] {
  const doubt = doubtAbout(definition.condition.value);
  const doubts = doubt === undefined ? [] : [{ field: 'eventCondition.value', sentence: doubt }];
  for (const list of actionLists) {
    for (const [index, { type, parameter }] of definition[list].actions.entries()) {
      if (parameter === '' || !callTypes.has(type) || isDelay(parameter)) continue;
      const sentence = 'is no delay in whole seconds, so it is called for at once';
      doubts.push({ field: `${list}Actions[${index}].parameter`, sentence });
    }
  }
  return doubts;
}

function whyInert(action: AlarmAction, targets: Targets, mask: Mask | undefined): string | undefined {
  const problem = problemOf(action, targets);
  if (problem !== undefined) return problem.sentence;
  if (mask !== undefined && loudTypes.has(action.type)) return 'the alarm is masked';
  if (!callTypes.has(action.type)) return undefined;
  return !onlySees(action) ? undefined : 'may see and acknowledge, but is not called';
}

/** Why an action comes to nothing, if so. */
export function problemOf(action: AlarmAction, targets: Targets): Omit<Problem, 'field'> | undefined {
  const { type, id, parameter, foreign = false } = action;
  switch (type) {
    case 'CallGroup':
      return !foreign && targets.callGroupIds.has(id) ? undefined : missing('call-group', `call group ${id}`);
    case 'CallUser':
      return !foreign && targets.userIds.has(id) ? undefined : missing('user', `user ${id}`);
    case 'PlaySound':
      return targets.mediaNames.has(parameter) ? undefined : missingMedia(parameter);
    case 'ExecuteCommand':
    case 'StopCommand': {
      const sentence = whyNotRun(action, targets.scripts);
      return sentence === undefined ? undefined : { cause: 'command', sentence };
    }
    default:
      return { cause: 'action-type', sentence: `there is no action of the type "${type}"` };
  }
}

function isMissing(file: string, { mediaNames }: Targets): boolean {
  return file !== '' && !mediaNames.has(file);
}

function missing(cause: Cause, what: string): Omit<Problem, 'field'> {
  return { cause, sentence: `${what} does not exist` };
}

function missingMedia(name: string): Omit<Problem, 'field'> {
  return missing('media', name === '' ? 'the sound without a name' : `the media file "${name}"`);
}
