// Which causes a message announced, and which of them are still open: a person can take, or stop being called for, only
// causes that were announced to them. Pure.

import type { ItemKind } from './words/words.ts';

/** The columns of a cause that announcing it needs. */
type Announceable = {
  readonly id: number;
  readonly kind: string;
  readonly list: string;
  readonly alarm_id: number | null;
};

/** One item of a message. An alarm can be taken; any other cause, such as a return to normal, can only be heard. */
export type AnnouncedItem =
  | { readonly alarmId: number }
  | { readonly causeId: number /** Set for a test or drill. */; readonly isTest?: true };

/** The items a message named, and the ids of all causes that it named or counted. */
export type Announced = { readonly items: readonly AnnouncedItem[]; readonly causes: readonly number[] };

/** An alarm that is raised again is still the same alarm; any other cause is announced once. */
export function announcedItem({ id, kind, list, alarm_id }: Announceable): AnnouncedItem {
  if (list === 'alarm' && alarm_id !== null) return { alarmId: alarm_id };
  return kind === 'test' ? { causeId: id, isTest: true } : { causeId: id };
}

export function isAlarmItem(item: AnnouncedItem): item is { readonly alarmId: number } {
  return 'alarmId' in item;
}

export function kindOfItem(item: AnnouncedItem): ItemKind {
  if (isAlarmItem(item)) return 'alarm';
  return item.isTest ? 'test' : 'message';
}

export function isSameItem(one: AnnouncedItem, other: AnnouncedItem): boolean {
  if (isAlarmItem(one)) return isAlarmItem(other) && one.alarmId === other.alarmId;
  return !isAlarmItem(other) && one.causeId === other.causeId;
}

export function includesItem(items: readonly AnnouncedItem[], item: AnnouncedItem): boolean {
  return items.some((other) => isSameItem(other, item));
}

/** After an attempt was made twice nobody knows which message arrived: only items that both named count. */
export function announcedByBoth(one: Announced, other: Announced): Announced {
  return {
    items: one.items.filter((item) => includesItem(other.items, item)),
    causes: one.causes.filter((id) => other.causes.includes(id)),
  };
}

export function alarmIdsOf(items: readonly AnnouncedItem[]): readonly number[] {
  return items.filter(isAlarmItem).map(({ alarmId }) => alarmId);
}

export type OpenAnnounced<C> = {
  /** Open causes that the message named: only these can be taken. */
  readonly named: readonly C[];
  /** Open causes that the message named or counted. */
  readonly known: readonly C[];
};

/** Splits the open causes, the most urgent first, by what the message announced. */
export function openAnnounced<C extends Announceable>(
  { items, causes }: Announced,
  open: readonly C[],
): OpenAnnounced<C> {
  const ids = new Set(causes);
  const known = open.filter(({ id }) => ids.has(id));
  return { named: known.filter((cause) => includesItem(items, announcedItem(cause))), known };
}
