// The steps of a conversation that read or change calls: the effects of keys, and what the person is told without pressing one.

import type { Caller } from '../../domain/access/access.ts';
import { mayAnswer } from '../../domain/calls/replies/inbound.ts';
import type { SignIn } from '../../domain/calls/ring-in/sign-in.ts';
import {
  isBeforeReading,
  readBackAll,
  sayAnswer,
  tell,
  type VoiceMenuContext,
  type VoiceMenuState,
  type VoiceMenuStep,
} from '../../domain/calls/voice-menu.ts';
import type { TryFor } from '../../domain/escalation/escalation.ts';
import type { Instant, ReadTx, Tx } from '../../store/store.ts';
import { announcedIn } from '../calls/announced.ts';
import { answerCall } from '../calls/answer.ts';
import { selectAttempt } from '../calls/attempts.ts';
import { announcedAlarms, announceNow, fatesOf } from '../calls/messages/announced-now.ts';
import { announcedToRingIn, answerRingIn, fatesOfRingIn } from '../calls/ring-in/answer-ring-in.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';

/** The stored state of a conversation; none before it is answered. */
export type StoredMenu = {
  readonly context: VoiceMenuContext;
  readonly state: VoiceMenuState | undefined;
  /** Of a person who rings in and has not proved yet who they are. */
  readonly signIn?: SignIn;
  /** The line from which a person rings in, and how they came. */
  readonly line?: RingInLine;
};

/** The address is as the network reports it and proves nothing. */
export type RingInLine = {
  readonly address: string;
  readonly channel: string;
  readonly providerId: number | undefined;
};

/** The columns of a call on a phone that a conversation needs. */
export type OnLine = { readonly id: number; readonly user_id: number; readonly attempt_id: number | null };

/** Whether a conversation reads what is open when it goes on: nothing has been read yet, and nobody has rung in. */
export function isReadAnew({ menu }: { readonly menu: string }): boolean {
  const { context, state } = JSON.parse(menu) as StoredMenu;
  return context.rangInBy === undefined && (state === undefined || isBeforeReading(state));
}

/**
 * Returns what is read to the person, with the texts and recordings of this moment and not of the moment when the phone
 * began to ring; to be called until the first text is read. `open`: what was open for them just before.
 */
export async function contextNow(
  tx: Tx,
  row: OnLine,
  context: VoiceMenuContext,
  open: readonly TryFor[] | undefined,
): Promise<VoiceMenuContext> {
  const found = open === undefined ? undefined : await announceNow(tx, row.user_id, open);
  if (found === undefined) return context;
  const { spoken, ...announced } = found;
  return {
    ...context,
    ...announced,
    texts: spoken.map((said) => said?.text ?? ''),
    recordings: spoken.map((said) => said?.recording ?? null),
  };
}

/**
 * Whether the person on the line was removed meanwhile, or the number that was called. Who has rung in has proved who they
 * are, from whatever number.
 */
export async function isFormer(tx: ReadTx, row: OnLine, { rangInBy }: VoiceMenuContext): Promise<boolean> {
  const person = (await readCallConfiguration(tx)).snapshot.people.get(row.user_id);
  if (rangInBy !== undefined) return person === undefined;
  const attempt = await tx.one(selectAttempt, { id: row.attempt_id ?? 0 });
  return attempt !== undefined && !mayAnswer(person, attempt);
}

type KeyEffect = {
  readonly row: OnLine;
  readonly step: VoiceMenuStep;
  readonly context: VoiceMenuContext;
  readonly caller: Caller;
};

/** Applies the effect of a key and returns what the phone says. Ends the menu when no item waits for an answer. */
export async function applyEffect(
  tx: Tx,
  now: Instant,
  { row, step, context, caller }: KeyEffect,
): Promise<VoiceMenuStep> {
  const { state, effect, items, next = '' } = step;
  if (effect === undefined || effect === 'check-pin' || effect === 'gather-all') return step;
  const common = { attemptId: row.attempt_id ?? 0, answer: effect, hasFurtherItems: state.step !== 'over', caller };
  const meant = items ?? context.items;
  const { taken, fates, others, isCalledBack, isComplete } =
    context.rangInBy !== undefined
      ? await answerRingIn(tx, now, { ...common, items: meant })
      : await answerCall.run(tx, now, { ...common, ...(items === undefined ? {} : { items }) });
  return {
    state: isComplete ? { ...state, step: 'over' } : state,
    say: sayAnswer(step, { taken: taken.length, fates, others, isCalledBack }, context),
    next: isComplete ? '' : next,
  };
}

/**
 * Reads back the alarms that key 9 takes: those that were read, and the others of the call that were announced by number
 * and station, except those of priority 1.
 */
export async function gatherAll(
  tx: Tx,
  now: Instant,
  row: OnLine,
  state: VoiceMenuState,
  context: VoiceMenuContext,
): Promise<VoiceMenuStep> {
  const wasRead = (state.read ?? []).flatMap((index) => context.items[index] ?? []);
  const all =
    context.rangInBy !== undefined
      ? await announcedToRingIn(tx, now, context.items, wasRead)
      : await announcedAlarms(tx, now, row.attempt_id ?? 0, wasRead);
  return readBackAll(state, all, context);
}

/** Returns the step that tells the person what became of alarms in the meantime; undefined if nothing has. */
export async function toldNow(
  tx: Tx,
  now: Instant,
  row: OnLine,
  context: VoiceMenuContext,
  state: VoiceMenuState,
): Promise<VoiceMenuStep | undefined> {
  const waiting = context.items.flatMap((item, index) => (state.done.includes(index) ? [] : [{ item, index }]));
  const fates =
    context.rangInBy !== undefined
      ? await fatesOfRingIn(tx, now, row.user_id, waiting)
      : await fatesOf(tx, now, row.user_id, waiting, context.causes ?? (await announcedBy(tx, row)));
  return fates.size === 0 ? undefined : tell(state, fates, context);
}

/** What the attempt announced: a conversation that began under an earlier version names no causes itself. */
async function announcedBy(tx: ReadTx, row: OnLine): Promise<readonly number[]> {
  const attempt = await tx.one(selectAttempt, { id: row.attempt_id ?? 0 });
  return attempt === undefined ? [] : announcedIn(attempt).causes;
}
