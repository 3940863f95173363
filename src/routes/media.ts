// Media routes: sound files, pictures and documents, stored under the names by which alarms refer to them.

import { Type } from 'typebox';
import { callerAt } from '../domain/access/access.ts';
import {
  isMediaName,
  largestMediaFile,
  type MediaType,
  mediaNameRule,
  mediaTypeOf,
  mediaTypes,
} from '../domain/media.ts';
import { AppError } from '../errors.ts';
import { etagHeader, ifMatchHeaders, ifMatchOf, printEntityTag } from '../http/entity-tag.ts';
import { defineRoute, fileBody, fileResponse, type Route } from '../http/route.ts';
import { contentTagOf } from '../operations/entity-tag.ts';
import { getMediaContent, listMedia } from '../operations/media/queries.ts';
import { removeMedia, storeMedia } from '../operations/media/write.ts';
import type { Store } from '../store/store.ts';
import { mediaSchema, printMedia } from '../wire/media.ts';
import { listQuery, pageOf, pagingCollection, printPage } from '../wire/paging.ts';

const tag = 'Media';
const path = '/api/v1/media/:name';

/** The same default as for plant and people resources. */
const defaultLimit = 1_000;

// Checked in code and not by the schema: a name that is not allowed is status 422, and the message states the rule.
const params = Type.Object({
  name: Type.String({ maxLength: 1_000, description: `The name: ${mediaNameRule}.`, examples: ['siren.wav'] }),
});

export function mediaRoutes(store: Store): Route[] {
  return [listRoute(store), contentRoute(store), ...changingRoutes(store)];
}

function listRoute(store: Store): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/media',
    scope: 'directory:read',
    tag,
    operationId: 'listMedia',
    summary: 'List media',
    description: 'A file has no id: it is identified and sorted by its name. Upper case comes before lower case.',
    query: listQuery(defaultLimit, {}, { keys: ['name'] }),
    responses: { 200: pagingCollection(mediaSchema, { withOffset: true }) },
    refusals: [],
    handle: async ({ query }) => {
      const { offset, limit, descending } = pageOf(query, defaultLimit);
      const order = descending ? 'desc' : 'asc';
      const { items, total } = await store.read(listMedia, { search: query.search ?? '', order, limit, offset });
      return printPage(items.map(printMedia), { offset, limit, total });
    },
  });
}

function contentRoute(store: Store): Route {
  return defineRoute({
    method: 'GET',
    path,
    scope: 'directory:read',
    tag,
    operationId: 'getMedia',
    summary: 'Get the content of a media file',
    description: 'Returns the stored bytes, to be saved rather than displayed.',
    params,
    fileTypes: mediaTypes,
    responses: { 200: fileResponse },
    responseHeaders: etagHeader,
    refusals: ['not-found', 'unprocessable'],
    handle: async ({ params: { name }, setHeader }) => {
      refuseBadName(name);
      const content = await store.read(getMediaContent, { name });
      if (content === undefined) throw new AppError('not-found', `There is no media file ${name}.`);
      setHeader('etag', printEntityTag(contentTagOf(content.bytes)));
      setHeader('content-disposition', `attachment; filename="${name}"`);
      return { type: content.type === 'text/plain' ? 'text/plain; charset=utf-8' : content.type, bytes: content.bytes };
    },
  });
}

function changingRoutes(store: Store): Route[] {
  const shared = { path, scope: 'directory:write', tag, params } as const;
  return [
    defineRoute({
      ...shared,
      method: 'PUT',
      operationId: 'storeMedia',
      summary: 'Store a media file',
      description: `The body is the file itself, at most ${largestMediaFile} bytes, with any content type: the type is detected from the content. Accepted types are ${mediaTypes.join(', ')}. Replaces an existing file of that name. Media are shared by all stations, so a caller bound to some cannot change them.`,
      headers: ifMatchHeaders,
      body: fileBody,
      bodyLimit: largestMediaFile,
      responses: { 200: mediaSchema },
      responseHeaders: etagHeader,
      refusals: ['precondition-failed'],
      handle: async ({ params: { name }, body, principal, request, setHeader }) => {
        refuseBadName(name);
        const ifMatch = ifMatchOf(request.headers);
        const input = { caller: callerAt(principal, request), name, type: takenType(body), content: body, ifMatch };
        const stored = await store.write(storeMedia, input);
        setHeader('etag', printEntityTag(contentTagOf(body)));
        return printMedia(stored);
      },
    }),
    defineRoute({
      ...shared,
      method: 'DELETE',
      operationId: 'deleteMedia',
      summary: 'Remove a media file',
      description: 'Alarms that refer to it stay unchanged and work without the file.',
      headers: ifMatchHeaders,
      responses: { 200: Type.Literal(true, { description: 'It is removed.' }) },
      refusals: ['not-found', 'precondition-failed', 'unprocessable'],
      handle: async ({ params: { name }, principal, request }) => {
        refuseBadName(name);
        const ifMatch = ifMatchOf(request.headers);
        await store.write(removeMedia, { caller: callerAt(principal, request), name, ifMatch });
        return true as const;
      },
    }),
  ];
}

function refuseBadName(name: string): void {
  if (isMediaName(name)) return;
  const message = `must be ${mediaNameRule}`;
  throw new AppError('unprocessable', `name ${message}.`, { errors: [{ field: 'name', message }] });
}

function takenType(content: Uint8Array): MediaType {
  if (content.length === 0) {
    const message = 'must be the content of a file, and is empty';
    throw new AppError('invalid-input', `body ${message}.`, { errors: [{ field: 'body', message }] });
  }
  const type = mediaTypeOf(content);
  if (type !== undefined) return type;
  throw new AppError(
    'unsupported-media-type',
    `By its content the file is of no type that is taken: WAV, MP3, OGG, FLAC, PNG, JPEG, GIF, WebP, PDF, or plain text in UTF-8 (no markup, no script).`,
  );
}
