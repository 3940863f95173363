// The voice menu of a telephone call: confirm that a human listens, enter the PIN, hear and answer each message. Pure.

import { type AnnouncedItem, includesItem, isAlarmItem, kindOfItem } from './announced.ts';
import { type AlarmFate, sayFate, sayFates, sayOthers } from './words/alarm-fate.ts';
import { wordsIn } from './words/catalogue.ts';
import { type Recording, recorded } from './words/recorded-text.ts';
import { spokenBeginning, spokenWhole } from './words/spoken-form.ts';
import type { OthersCalled, StationCount, Words } from './words/words.ts';

export type VoiceMenuState = {
  /** In `all` the menu waits for the digit that confirms key 9. */
  readonly step: 'human' | 'pin' | 'menu' | 'all' | 'over';
  readonly pinTries: number;
  /** How often the PIN was wrong in calls before this one; absent: never. */
  readonly formerPinTries?: number;
  /** The digits of the PIN so far. */
  readonly digits: string;
  /** Index of the text that was read last. */
  readonly index: number;
  /** Indexes of the texts that need no answer any more. */
  readonly done: readonly number[];
  /** Indexes of the texts that were read; absent in a conversation that an earlier version began. */
  readonly read?: readonly number[];
  /** The alarms that key 9 takes, fixed when their number is read back. */
  readonly all?: readonly AnnouncedItem[];
  /** Whether somebody has pressed the key that no answering machine presses; absent: nobody, or an earlier version began it. */
  readonly isHuman?: true;
  /** How often the person was reminded since the last key; absent: never. */
  readonly reminders?: number;
};

/** The messages of the call, and the language and name used to read them. */
export type VoiceMenuContext = {
  readonly language: string;
  readonly firstName: string;
  readonly texts: readonly string[];
  /** The recordings that are played in place of texts; absent: none. */
  readonly recordings?: readonly (Recording | null)[];
  /** The announced item of each text. */
  readonly items: readonly AnnouncedItem[];
  /** The ids of all causes that the call is for; absent before it is answered, and for who has rung in. */
  readonly causes?: readonly number[];
  readonly total: number;
  /** How many of all causes each station has. */
  readonly stations?: readonly StationCount[];
  readonly hasPin: boolean;
  /** The channel by which the person has rung in: the items are those of any call. Absent: they were called. */
  readonly rangInBy?: string;
  /** The name that the call introduces itself with; without one, Tocsin. */
  readonly siteName?: string;
  /** Said before the greeting. */
  readonly opening?: string;
};

/** The effect of a key outside the menu; `gather-all` asks for the alarms that key 9 takes. */
type MenuEffect = 'take' | 'heard' | 'decline' | 'later' | 'check-pin' | 'gather-all';

export type VoiceMenuStep = {
  readonly state: VoiceMenuState;
  /** For an answer, `sayAnswer` says what it has led to. */
  readonly say: string;
  readonly effect?: MenuEffect;
  /** The items the effect is for; without them, it is for every item that needs an answer. */
  readonly items?: readonly AnnouncedItem[];
  /** The text read after `say`. */
  readonly next?: string;
};

/** What an answer has led to. */
export type AnswerResult = {
  /** The number of alarms that it took. */
  readonly taken: number;
  /** What became of the alarms that it came too late for. */
  readonly fates: readonly AlarmFate[];
  readonly others: OthersCalled;
  /** Whether a person who asked to be called later is. */
  readonly isCalledBack?: boolean;
};

const mostPinTries = 3;
const mostReminders = 2;

/** Starts the menu. The greeting names no alarm: an answering machine may have picked up. */
export function greet({ language, firstName, items, siteName, opening = '' }: VoiceMenuContext): VoiceMenuStep {
  const kinds = items.map(kindOfItem);
  const kind = (['alarm', 'message', 'test'] as const).find((one) => kinds.includes(one)) ?? 'message';
  const greeting = wordsIn(language).greeting(firstName, kind, siteName || 'Tocsin');
  const say = opening === '' ? greeting : `${opening}\n${greeting}`;
  return { state: { step: 'human', pinTries: 0, digits: '', index: 0, done: [], read: [] }, say };
}

export function press(before: VoiceMenuState, key: string, context: VoiceMenuContext): VoiceMenuStep {
  const { reminders, ...state } = before;
  const words = wordsIn(context.language);
  switch (state.step) {
    case 'human':
      if (key !== '1') return { state, say: words.pressOne };
      return context.hasPin
        ? { state: { ...state, step: 'pin', isHuman: true }, say: words.pin }
        : readFirst({ ...state, isHuman: true }, context);
    case 'pin':
      return key === '#' ? { state, say: '', effect: 'check-pin' } : { state: withDigit(state, key), say: '' };
    case 'menu':
      return choose(state, key, context);
    case 'all':
      return confirmAll(state, key, context);
    case 'over':
      return { state, say: '' };
  }
}

/** Starts the menu for somebody who has rung in and entered the right PIN: they hear at once what is open. */
export function beginSignedIn(context: VoiceMenuContext): VoiceMenuStep {
  const state: VoiceMenuState = { step: 'menu', pinTries: 0, digits: '', index: 0, done: [], read: [] };
  if (context.texts.length > 0) return readFirst(state, context);
  const words = wordsIn(context.language);
  return { state: { ...state, step: 'over' }, say: `${words.nothingOpen} ${words.goodbye}` };
}

/** Nobody has pressed a key: asks again, and ends the call when that was in vain; an answering machine never presses one. */
export function remind(state: VoiceMenuState, context: VoiceMenuContext): VoiceMenuStep {
  const words = wordsIn(context.language);
  const reminders = (state.reminders ?? 0) + 1;
  if (reminders > mostReminders) return { state: { ...state, step: 'over' }, say: words.goodbye };
  const asked = { ...state, reminders };
  switch (state.step) {
    case 'human':
      return { state: asked, say: greet(context).say };
    case 'pin':
      return { state: { ...asked, digits: '' }, say: words.pin };
    case 'menu':
      return { state: asked, say: menuAt(state.index, context) };
    case 'all':
      return { state: { ...asked, step: 'menu', all: [] }, say: `${words.notTaken}\n${menuAt(state.index, context)}` };
    case 'over':
      return { state, say: '' };
  }
}

/** Returns what the phone says after an answer, which depends on what the answer has led to. */
export function sayAnswer(
  { effect, items }: Pick<VoiceMenuStep, 'effect' | 'items'>,
  { taken, fates, others, isCalledBack = false }: AnswerResult,
  context: VoiceMenuContext,
): string {
  const words = wordsIn(context.language);
  if (taken > 0) return [words.taken(taken), sayOthers(fates, words)].join(' ').trim();
  if (fates.length > 0) return `${sayFates(fates, words)} ${words.thanks}`;
  const answered = items ?? context.items;
  const test = answered.length > 0 && answered.every((item) => kindOfItem(item) === 'test') ? ` ${words.onlyTest}` : '';
  if (effect === 'decline') return words.declined(others) + test;
  if (effect === 'later') return (isCalledBack ? words.later : words.notLater(others)) + test;
  return answered.some(isAlarmItem) ? words.heard(others) : words.confirmed + test;
}

/** Advances the menu after the PIN was compared; the third wrong PIN, those of the calls before counted, ends the call. */
export function afterPin(state: VoiceMenuState, isRight: boolean, context: VoiceMenuContext): VoiceMenuStep {
  if (isRight) return readFirst({ ...state, digits: '' }, context);
  const words = wordsIn(context.language);
  const pinTries = state.pinTries + 1;
  const isOver = hasUsedUpPins({ ...state, pinTries });
  return {
    state: { ...state, step: isOver ? 'over' : 'pin', digits: '', pinTries },
    say: isOver ? words.locked : words.wrongPin,
  };
}

/** The open alarms that key 9 takes, by station, and what became of those that were only counted and are open no more. */
export type AllAnnounced = {
  readonly items: readonly AnnouncedItem[];
  readonly stations: readonly StationCount[];
  readonly gone: readonly AlarmFate[];
};

/** Reads back the alarms that key 9 takes; the next digit confirms, and the digits before the end of this do not count. */
export function readBackAll(
  state: VoiceMenuState,
  { items: all, stations, gone }: AllAnnounced,
  context: VoiceMenuContext,
): VoiceMenuStep {
  const words = wordsIn(context.language);
  const others = sayOthers(gone, words);
  if (all.length === 0) return { state, say: `${others}\n${menuAt(state.index, context)}`.trim() };
  return { state: { ...state, step: 'all', all }, say: `${others} ${words.takeAll(all.length, stations)}`.trim() };
}

/**
 * Tells a person in the middle of a conversation what became of alarms, and goes on with what is left; ends the call if
 * nothing is. Before the person has proved to be the right one, nobody is named.
 */
export function tell(
  state: VoiceMenuState,
  fates: ReadonlyMap<number, AlarmFate>,
  context: VoiceMenuContext,
): VoiceMenuStep {
  const words = wordsIn(context.language);
  const isListening = state.step === 'menu' || state.step === 'all';
  const gone = [...fates].filter(([index]) => !state.done.includes(index));
  const updated: VoiceMenuState = { ...state, done: [...state.done, ...gone.map(([index]) => index)] };
  const said = gone.map(([index, fate]) => {
    const isCurrent = index === state.index || context.total === 1;
    return isCurrent ? sayFate(fate, words) : `${nth(index, context)} ${sayFate(fate, words)}`;
  });
  const left = nextIndex(updated, context);
  if (left === undefined) {
    const last = isListening ? said : [words.over];
    return { state: { ...updated, step: 'over' }, say: [...last, words.goodbye].join(' ') };
  }
  if (!isListening) return { state: updated, say: '' };
  const isCurrentGone = gone.some(([index]) => index === state.index);
  const next = read(updated, isCurrentGone ? left : state.index, context);
  return { state: next.state, say: said.join(' '), next: next.say };
}

/** Whether nothing was read yet: the person has not proved to be human, or has not entered the PIN. */
export function isBeforeReading({ step }: VoiceMenuState): boolean {
  return step === 'human' || step === 'pin';
}

/** Whether the call ended because the PIN was wrong too often. */
export function isLockedOut(state: VoiceMenuState): boolean {
  return state.step === 'over' && hasUsedUpPins(state);
}

function hasUsedUpPins({ pinTries, formerPinTries = 0 }: VoiceMenuState): boolean {
  return pinTries > 0 && formerPinTries + pinTries >= mostPinTries;
}

function withDigit(state: VoiceMenuState, key: string): VoiceMenuState {
  return /^\d$/.test(key) && state.digits.length < 9 ? { ...state, digits: state.digits + key } : state;
}

/** Reads the first text. Of several, it first announces how many there are of which station. */
function readFirst(state: VoiceMenuState, context: VoiceMenuContext): VoiceMenuStep {
  const first = read(state, nextIndex({ ...state, index: -1 }, context) ?? 0, context);
  if (context.total <= 1) return first;
  const announced = wordsIn(context.language).bundle(context.total, context.stations ?? []);
  return { ...first, say: `${announced}\n${first.say}` };
}

/** Reads the text and names the keys; of a long text only the beginning, so that nobody waits for the keys. */
function read(state: VoiceMenuState, index: number, context: VoiceMenuContext): VoiceMenuStep {
  const text = textAt(index, context);
  const beginning = hasRecording(index, context) ? undefined : spokenBeginning(text);
  const read = beginning === undefined ? text : `${beginning}\n${wordsIn(context.language).allOfIt}`;
  const said = context.total > 1 ? `${nth(index, context)} ${read}` : read;
  const wasRead = [...(state.read ?? []), index];
  return { state: { ...state, step: 'menu', index, read: wasRead }, say: `${said}\n${menuAt(index, context)}` };
}

/** Reads the text once more; a long one, of which the beginning was read, as far as a call has time for it. */
function readWhole(state: VoiceMenuState, context: VoiceMenuContext): VoiceMenuStep {
  const text = textAt(state.index, context);
  if (hasRecording(state.index, context) || spokenBeginning(text) === undefined)
    return read(state, state.index, context);
  return { state, say: `${spokenWhole(text)}\n${menuAt(state.index, context)}` };
}

/** The text of an item, marked if a recording is played in its place. */
function textAt(index: number, context: VoiceMenuContext): string {
  const text = context.texts[index] ?? '';
  return hasRecording(index, context) ? recorded(index, text) : text;
}

function hasRecording(index: number, { recordings = [] }: VoiceMenuContext): boolean {
  return recordings[index] != null;
}

function nth(index: number, { items, total, language }: VoiceMenuContext): string {
  const item = items[index];
  return wordsIn(language).nth(index + 1, total, item === undefined ? 'message' : kindOfItem(item));
}

function isAlarmAt(index: number, { items }: VoiceMenuContext): boolean {
  const item = items[index];
  return item !== undefined && isAlarmItem(item);
}

/** Returns the menu of the item: a cause that is not an alarm can only be confirmed. */
function menuAt(index: number, context: VoiceMenuContext): string {
  const words = wordsIn(context.language);
  if (!isAlarmAt(index, context)) return words.newsMenu;
  return canTakeAll(context) ? `${words.menu} ${words.takeAllKey}` : words.menu;
}

function canTakeAll({ total, items }: VoiceMenuContext): boolean {
  return total > 1 && items.some(isAlarmItem);
}

/**
 * 1 take, 2 heard, 3 decline, 4 repeat, 5 next, 6 later, 9 take all, 0 help. 1 and 2 apply to the text read last, 3 to all that
 * were read and need an answer; then the next text is read. 6 applies to all texts that need an answer.
 */
function choose(state: VoiceMenuState, key: string, context: VoiceMenuContext): VoiceMenuStep {
  const over: VoiceMenuState = { ...state, step: 'over' };
  const left = context.items.filter((_, index) => !state.done.includes(index));
  switch (key) {
    case '1':
      return answerAndReadNext(state, 'take', context);
    case '2':
      return answerAndReadNext(state, 'heard', context);
    case '3':
      return declineRead(state, context);
    case '4':
      return readWhole(state, context);
    case '5':
      return read(state, nextIndex(state, context) ?? state.index, context);
    case '6':
      return { state: over, say: '', effect: 'later', items: left };
    case '9':
      if (canTakeAll(context)) return { state, say: '', effect: 'gather-all' };
      return { state, say: menuAt(state.index, context) };
    default:
      return { state, say: menuAt(state.index, context) };
  }
}

/** Answers the text read last and reads the next; ends the call after the last text. */
function answerAndReadNext(state: VoiceMenuState, answer: 'take' | 'heard', context: VoiceMenuContext): VoiceMenuStep {
  const item = context.items[state.index];
  const effect = isAlarmAt(state.index, context) ? answer : 'heard';
  const items = item === undefined ? {} : { items: [item] };
  return { say: '', effect, ...items, ...readNext(state, [state.index], context) };
}

/** Nobody declines what they have not heard: the texts that were not read yet come next. */
function declineRead(state: VoiceMenuState, context: VoiceMenuContext): VoiceMenuStep {
  const { index, done, read: wasRead = [index] } = state;
  const declined = context.items.flatMap((_, at) => (wasRead.includes(at) && !done.includes(at) ? [at] : []));
  const items = declined.flatMap((at) => context.items[at] ?? []);
  return { say: '', effect: 'decline', items, ...readNext(state, declined, context) };
}

function confirmAll(state: VoiceMenuState, key: string, context: VoiceMenuContext): VoiceMenuStep {
  const words: Words = wordsIn(context.language);
  const { all = [], ...rest } = state;
  const back: VoiceMenuState = { ...rest, step: 'menu' };
  if (key !== '1') return { state: back, say: `${words.notTaken}\n${menuAt(state.index, context)}` };
  const taken = context.items.flatMap((item, index) => (includesItem(all, item) ? [index] : []));
  return { say: '', effect: 'take', items: all, ...readNext(back, taken, context) };
}

/** Goes on to the next text that needs an answer; ends the menu if there is none. */
function readNext(
  state: VoiceMenuState,
  done: readonly number[],
  context: VoiceMenuContext,
): Pick<VoiceMenuStep, 'state' | 'next'> {
  const updated: VoiceMenuState = { ...state, done: [...state.done, ...done] };
  const index = nextIndex(updated, context);
  if (index === undefined) return { state: { ...updated, step: 'over' } };
  const { state: reading, say } = read(updated, index, context);
  return { state: reading, next: say };
}

/** Returns the index of the next text that needs an answer, wrapping around at the end. */
function nextIndex({ index, done }: VoiceMenuState, { texts }: VoiceMenuContext): number | undefined {
  const left = texts.map((_, at) => at).filter((at) => !done.includes(at));
  return left.find((at) => at > index) ?? left[0];
}
