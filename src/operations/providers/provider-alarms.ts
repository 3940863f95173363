// Tocsin's own alarms about providers: raised while something is wrong, and back to normal, out of every call, when it no longer is.

import type { SystemText } from '../../domain/alarms/system-texts/texts.ts';
import { isSpoken } from '../../domain/calls/delivery.ts';
import { englishReason } from '../../domain/channels/words/catalogue.ts';
import { type ProviderReason, reasonIn } from '../../domain/channels/words/provider-reason.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { endOpenSystemAlarms } from '../alarms/intake/end-open-system-alarm.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';
import { type ProviderRow, selectProvider } from './provider-rows.ts';

/** `down`: it does not work. `refused`: it refuses messages for its settings. `mailbox`: replies are not read. `ring-in`: nobody can ring in. `voice`: another voice speaks for one that does not. */
export type ProviderTrouble = 'down' | 'refused' | 'mailbox' | 'ring-in' | 'voice';

const everyTrouble: readonly ProviderTrouble[] = ['down', 'refused', 'mailbox', 'ring-in', 'voice'];

function textOf(trouble: ProviderTrouble, { name, channel }: ProviderRow, reason: string): SystemText {
  const parameters = { provider: name, ...saidBy(reason) };
  if (trouble !== 'refused') return { code: `provider-${trouble}`, parameters };
  return { code: 'provider-refused', parameters: { ...parameters, isSpoken: isSpoken(channel) } };
}

/** A stored reason as alarms say it: in English, and with its code, where it has one, for the other languages. */
export function saidBy(reason: string): { readonly reason: string; readonly why?: ProviderReason } {
  const why = reasonIn(reason);
  return { reason: englishReason(reason), ...(why === undefined ? {} : { why }) };
}

function pathOf(id: number, trouble: ProviderTrouble): string {
  return trouble === 'down' ? `provider/${id}` : `provider/${id}/${trouble}`;
}

type Raised = { readonly trouble: ProviderTrouble; readonly reason: string; readonly isCalled: boolean };

export async function raiseProviderAlarm(tx: Tx, now: Instant, id: number, raised: Raised): Promise<void> {
  const row = await tx.one(selectProvider, { id });
  if (row === undefined) return;
  await raiseSystemAlarm(tx, now, {
    path: pathOf(id, raised.trouble),
    priority: 2,
    message: textOf(raised.trouble, row, raised.reason),
    isCalled: raised.isCalled,
  });
}

/** Returns the alarms about a provider to normal, if there are any. */
export async function endProviderAlarms(
  tx: Tx,
  now: Instant,
  id: number,
  troubles: readonly ProviderTrouble[] = everyTrouble,
): Promise<void> {
  const paths = troubles.map((trouble) => pathOf(id, trouble));
  await endOpenSystemAlarms(tx, now, paths, 'end-calls');
}

/** Ends the alarm that the provider refuses messages: somebody has mended it, and says so by a test that succeeds. */
export const endRefusal: Operation<{ readonly providerId: number }, void> = {
  name: 'end-provider-refusal',
  run: (tx, now, { providerId }) => endProviderAlarms(tx, now, providerId, ['refused']),
};

/** Mails still go out while the mailbox of their replies cannot be read, so that nobody would notice. */
export const noteMailbox: Operation<{ readonly providerId: number; readonly problem: string | undefined }, void> = {
  name: 'note-mailbox',
  run: (tx, now, { providerId, problem }) =>
    problem === undefined
      ? endProviderAlarms(tx, now, providerId, ['mailbox'])
      : raiseProviderAlarm(tx, now, providerId, { trouble: 'mailbox', reason: problem, isCalled: true }),
};

type NotedTrouble = {
  readonly providerId: number;
  readonly trouble: 'ring-in' | 'voice';
  readonly problem: string | undefined;
};

/** People are called by the provider all the same, so that it is not down. */
export const noteTrouble: Operation<NotedTrouble, void> = {
  name: 'note-provider-trouble',
  run: (tx, now, { providerId, trouble, problem }) =>
    problem === undefined
      ? endProviderAlarms(tx, now, providerId, [trouble])
      : raiseProviderAlarm(tx, now, providerId, { trouble, reason: problem, isCalled: false }),
};
