// Saved views of consoles: whose they are, and who may write those that are shared. Pure.

import { type Principal, seesStation } from './access/access.ts';

/** A view of a console: filters, columns and order under a name. The server keeps it and does not read it. */
export type SavedView = {
  readonly name: string;
  /** The filters as the query of an address, such as `stationId=2&alarmState=3`. */
  readonly query: string;
  readonly columns: readonly string[];
  readonly sort: string;
};

/** A list belongs to a user, is shared at one station, or is shared by all stations. */
export type ViewOwner =
  | { readonly kind: 'user'; readonly id: number }
  | { readonly kind: 'station'; readonly id: number }
  | { readonly kind: 'all' };

export const maxViews = 50;

type Bound = Pick<Principal, 'stationIds'>;

export function seesViews(caller: Bound, owner: ViewOwner): boolean {
  return owner.kind !== 'station' || seesStation(caller, owner.id);
}

/** Whether the caller may change the list, if it has the scope: what all stations share, only who is bound to none. */
export function mayWriteViews(caller: Bound, owner: ViewOwner): boolean {
  return owner.kind === 'all' ? caller.stationIds.length === 0 : seesViews(caller, owner);
}

/** Returns the place of the first view whose name an earlier one has, whatever its case; undefined if there is none. */
export function repeatedName(views: readonly SavedView[]): number | undefined {
  const names = views.map(({ name }) => name.toLowerCase());
  const index = names.findIndex((name, place) => names.indexOf(name) !== place);
  return index < 0 ? undefined : index;
}

/** The owner as one word, in rows and in the journal. */
export function ownerWord(owner: ViewOwner): string {
  return owner.kind === 'all' ? 'all' : `${owner.kind}:${owner.id}`;
}
