// Stores the health of providers: after deliveries, checks and losses; a change is an event and, for a loss, an alarm.

import { afterCheck, afterFailure, afterLoss, afterSuccess } from '../../domain/channels/breaker.ts';
import { type ProviderHealth, unknownHealth } from '../../domain/channels/provider.ts';
import { appendEvent } from '../../store/event-log.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { endProviderAlarms, raiseProviderAlarm } from './provider-alarms.ts';
import { loadHealth, putHealth, selectProvider } from './provider-rows.ts';
import { leftToOthers } from './unopened.ts';

/** Counts a delivery that the provider itself failed. */
export function noteFailure(
  tx: Tx,
  now: Instant,
  providerId: number,
  { reason, address }: { readonly reason: string; readonly address: string },
): Promise<void> {
  return change(tx, now, providerId, 'delivery', (health) => afterFailure(health, reason, now, address));
}

/** Notes that the provider has carried a delivery; one that began before the provider failed shows nothing. */
export function noteSuccess(tx: Tx, now: Instant, providerId: number, begunAt: Instant): Promise<void> {
  const next = (health: ProviderHealth): ProviderHealth =>
    health.state === 'down' && begunAt < health.since ? health : afterSuccess(health, now);
  return change(tx, now, providerId, 'delivery', next);
}

type Check = {
  readonly providerId: number;
  readonly isUp: boolean;
  readonly reason: string;
  /** Whether somebody asked for it, mostly after a repair; absent: it is that of the supervision. */
  readonly isAsked?: boolean;
  /** The node, if it could not open the provider: while another can, that says nothing of the provider. */
  readonly unopenedOn?: string;
};

/** Stores the result of a check; returns its time. */
export const noteCheck: Operation<Check, Instant> = {
  name: 'note-provider-check',
  async run(tx, now, { providerId, isUp, reason, isAsked = false, unopenedOn }) {
    if (unopenedOn !== undefined && (await leftToOthers(tx, now, unopenedOn)).has(providerId)) return now;
    const passed = isAsked ? afterSuccess : afterCheck;
    const next = (health: ProviderHealth) => (isUp ? passed(health, now) : afterLoss(health, reason, now));
    await change(tx, now, providerId, 'check', next);
    return now;
  },
};

async function change(
  tx: Tx,
  now: Instant,
  id: number,
  by: 'delivery' | 'check',
  next: (health: ProviderHealth) => ProviderHealth,
): Promise<void> {
  if ((await tx.one(selectProvider, { id })) === undefined) return;
  const before = (await loadHealth(tx)).get(id) ?? unknownHealth;
  const after = next(before);
  const isSame = after.state === before.state && after.failures === before.failures && after.reason === before.reason;
  if (isSame && after.probeAt === before.probeAt) return;
  const { failed = [], ...columns } = after;
  await tx.run(putHealth, { id, ...columns, failed: JSON.stringify(failed) });
  if (after.state === before.state) return;
  const { state, reason } = after;
  await appendEvent(tx, now, { kind: 'provider.health', actor: 'system', subjectId: id, data: { state, reason } });
  if (before.state === 'down' && state === 'up') await endProviderAlarms(tx, now, id, ['down']);
  // Who is setting it up sees the alarm in the list; it calls nobody before the provider has worked or failed somebody.
  const isCalled = before.state === 'up' || by === 'delivery';
  if (state === 'down') await raiseProviderAlarm(tx, now, id, { trouble: 'down', reason, isCalled });
}
