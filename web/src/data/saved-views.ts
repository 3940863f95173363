// The saved views of the alarm list: one's own and those that are shared.

import { useQueryClient } from '@tanstack/react-query';
import { getSharedViews, getViews, replaceSharedViews, replaceViews, type SavedView } from '@tocsin/client';
import { useRead } from './lists/use-read.ts';
import { useIdentity } from './rights.ts';

export type View = { readonly name: string; readonly query: string; readonly isShared: boolean };

export type SavedViews = {
  readonly views: readonly View[];
  /** Saves a view in place of one of the same name. */
  readonly save: (view: View) => Promise<void>;
  readonly remove: (view: View) => Promise<void>;
};

export function useSavedViews(): SavedViews {
  const queries = useQueryClient();
  const views = useRead({ queryKey: ['views'], queryFn: () => getViews(), staleTime: 60_000 });
  const station = useIdentity().when({ known: ({ stationIds }) => stationIds[0], unread: () => undefined });
  /** Who is bound to stations shares at theirs. */
  const place = station === undefined ? {} : { stationId: station };
  const update = async (isShared: boolean, change: (views: SavedView[]) => SavedView[]): Promise<void> => {
    if (isShared) await replaceSharedViews({ views: change((await getSharedViews(place)).views) }, place);
    else await replaceViews({ views: change((await getViews()).views) });
    await queries.invalidateQueries({ queryKey: ['views'] });
  };
  return {
    views: [
      ...views.choices((all) => all.views.map(({ name, query }) => ({ name, query, isShared: false }))),
      ...views.choices((all) => all.shared.map(({ name, query }) => ({ name, query, isShared: true }))),
    ],
    save: ({ name, query, isShared }) =>
      update(isShared, (views) => {
        const view = { name, query, columns: [], sort: '' };
        const known = views.findIndex((other) => other.name === name);
        return known < 0 ? [...views, view] : views.with(known, view);
      }),
    remove: ({ name, isShared }) => update(isShared, (views) => views.filter((view) => view.name !== name)),
  };
}
