// The JSON of saved views of consoles.

import { type Static, Type } from 'typebox';
import { maxViews, type SavedView } from '../domain/views.ts';
import { text, uint } from './paging.ts';

const viewFields = {
  name: Type.String({ minLength: 1, maxLength: 256, description: 'Its name.', examples: ['Night'] }),
  query: text(4_096, {
    description: 'The filters as the query of an address; kept as it is sent.',
    examples: ['stationId=1&alarmState=3'],
  }),
  columns: Type.Array(text(64, { examples: ['message'] }), {
    maxItems: 50,
    description: 'The columns, in their order; empty: the usual ones.',
  }),
  sort: text(64, { description: 'The order; empty: the usual one.', examples: ['-alarmTime'] }),
};

const viewSchema = Type.Object(viewFields, { title: 'SavedView', description: 'A view of a console.' });

const sharedViewSchema = Type.Object(
  {
    ...viewFields,
    stationId: Type.Optional(uint({ description: 'The station at which it is shared; absent: all.', examples: [1] })),
  },
  { title: 'SharedView', description: 'A view that is shared, and where.' },
);

const ownViews = Type.Array(viewSchema, { description: 'The views, in their order.' });

export const viewsSchema = Type.Object(
  { views: ownViews, shared: Type.Array(sharedViewSchema, { description: 'The views that others share.' }) },
  { title: 'Views', description: "The caller's own views, and the shared ones." },
);

export const viewListSchema = Type.Object({ views: ownViews }, { title: 'ViewList', description: 'A list of views.' });

const viewBody = Type.Object(
  {
    name: viewFields.name,
    query: Type.Optional(viewFields.query),
    columns: Type.Optional(viewFields.columns),
    sort: Type.Optional(viewFields.sort),
  },
  { title: 'SavedViewBody', description: 'A view of a console.' },
);

export const viewsBody = Type.Object(
  { views: Type.Array(viewBody, { maxItems: maxViews, description: 'All views, in their order.' }) },
  {
    title: 'ViewsBody',
    description: 'The whole list of views.',
    examples: [
      { views: [{ name: 'Night', query: 'alarmState=3', columns: ['message', 'value'], sort: '-alarmTime' }] },
    ],
  },
);

export function readViews({ views }: Static<typeof viewsBody>): readonly SavedView[] {
  return views.map(({ name, query = '', columns = [], sort = '' }) => ({ name, query, columns, sort }));
}

export function printView({ name, query, columns, sort }: SavedView): Static<typeof viewSchema> {
  return { name, query, columns: [...columns], sort };
}

export function printSharedView(
  view: SavedView & { readonly stationId: number | undefined },
): Static<typeof sharedViewSchema> {
  return { ...printView(view), ...(view.stationId === undefined ? {} : { stationId: view.stationId }) };
}
