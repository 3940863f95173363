// Binds an API key that stands in the address of a calendar to that calendar: an address that leaks shows no other.

import { getMeta, setMeta } from '../../store/meta.ts';
import type { Operation, Query } from '../../store/store.ts';
import { appendAudit } from '../audit/append.ts';

/** `calendar` names it as its path does: `users/7`. */
type KeyOfCalendar = { readonly keyId: number; readonly calendar: string };

export const metaOfCalendarKey = (keyId: number): string => `calendar of key ${keyId}`;

/** The calendar that the key is bound to; undefined before its first use. */
export const getCalendarOfKey: Query<{ readonly keyId: number }, string | undefined> = {
  name: 'get-calendar-of-key',
  isQuick: true,
  run: (tx, { keyId }) => getMeta(tx, metaOfCalendarKey(keyId)),
};

/**
 * Binds the key to the first calendar that is read with it; returns the calendar that it is bound to. Calendar programs ask
 * again and again, so that keys from before are bound as well, each to the calendar that it is used for.
 */
export const bindCalendarKey: Operation<KeyOfCalendar, string> = {
  name: 'bind-calendar-key',
  async run(tx, now, { keyId, calendar }) {
    const bound = await getMeta(tx, metaOfCalendarKey(keyId));
    if (bound !== undefined) return bound;
    await setMeta(tx, metaOfCalendarKey(keyId), calendar);
    const origin = { actor: `key:${keyId}`, stationIds: [] };
    await appendAudit(tx, now, { kind: 'key.bound', origin, subject: `key:${keyId}`, after: { calendar } });
    return calendar;
  },
};
