// Routes of providers: list, get, create, replace, remove, and check one.

import { type Static, Type } from 'typebox';
import type { SecretBox } from '../access/secret-box.ts';
import { callerAt } from '../domain/access/access.ts';
import { kindNamed } from '../domain/channels/kinds/catalogue.ts';
import { secretProblemsOf } from '../domain/channels/kinds/kind.ts';
import type { ShownProvider } from '../domain/channels/provider.ts';
import { wordedReason } from '../domain/channels/words/catalogue.ts';
import { isFoundIn } from '../domain/search.ts';
import { AppError } from '../errors.ts';
import { type ChangeCall, resourceRoutes } from '../http/resource-routes.ts';
import { defineRoute, type Route } from '../http/route.ts';
import { entityTagOf } from '../operations/entity-tag.ts';
import { refuseFields } from '../operations/people/refusals.ts';
import { createProviderOnce, removeProvider, replaceProvider } from '../operations/providers/change-provider.ts';
import { getProvider, listProviders } from '../operations/providers/queries.ts';
import { isNodeGone } from '../operations/system/node-queries.ts';
import type { Store } from '../store/store.ts';
import { sentenceHeaders, sentenceLanguage } from '../wire/accept-language.ts';
import { printProvider, providerBody, providerSchema, readProvider } from '../wire/channels/provider.ts';
import { idParams } from '../wire/paging.ts';
import { warningsHeader } from './alarms.ts';
import { idempotencyHeaders, makeOnce } from './make-once.ts';

type ProviderParts = {
  readonly store: Store;
  readonly timeZone: string;
  readonly now: () => number;
  readonly secretBox: Pick<SecretBox, 'seal'>;
  /** Returns the stored reason why the provider cannot be used, undefined if it can. */
  readonly checkProvider: (id: number) => Promise<string | undefined>;
};

const tag = 'Providers';
const path = 'providers';

export function providerRoutes(parts: ProviderParts): Route[] {
  const { store, timeZone, now, secretBox } = parts;
  const tagged = (shown: ShownProvider, acceptLanguage: string | undefined) => ({
    json: printProvider(shown, timeZone, sentenceLanguage(acceptLanguage)),
    tag: entityTagOf(shown.provider),
  });
  const inputOf = (body: Static<typeof providerBody>, { principal, request }: ChangeCall) => ({
    caller: callerAt(principal, request),
    fields: readProvider(body),
    secrets: sealed(body.kind, body.secrets ?? {}, secretBox),
  });
  const found = async (id: number, acceptLanguage: string | undefined) => {
    const shown = await store.read(getProvider, { id, now: now() });
    return shown && tagged(shown, acceptLanguage);
  };
  const warnOfNode = async (body: Static<typeof providerBody>, { setHeader, now: asked }: ChangeCall) => {
    const { node } = readProvider(body);
    if (node === undefined || !(await store.read(isNodeGone, { name: node, now: asked }))) return;
    setHeader(
      warningsHeader,
      `node: no node named "${node}" is running, so that nothing is delivered by this provider`,
    );
  };
  const crud = resourceRoutes({
    noun: 'provider',
    name: 'Provider',
    exampleId: 2,
    path,
    tag,
    readScope: 'admin',
    writeScope: 'admin',
    byStation: false,
    schema: providerSchema,
    body: providerBody,
    readingHeaders: sentenceHeaders,
    list: async ({ search, order, offset, limit, acceptLanguage }) => {
      const all = await store.read(listProviders, { now: now() });
      const matching = all.filter(({ provider }) => isFoundIn(provider.name, search));
      const sorted = matching.toSorted((a, b) => (a.provider.id - b.provider.id) * (order === 'desc' ? -1 : 1));
      const language = sentenceLanguage(acceptLanguage);
      const items = sorted.slice(offset, offset + limit).map((shown) => printProvider(shown, timeZone, language));
      return { items, total: matching.length };
    },
    find: (id, _caller, acceptLanguage) => found(id, acceptLanguage),
    creationHeaders: idempotencyHeaders,
    create: async (body, call) => {
      await warnOfNode(body, call);
      // A hash of the body is stored, and must not help to guess a secret.
      const { secrets: _, ...hashed } = body;
      return makeOnce(store, createProviderOnce, inputOf(body, call), call, { address: path, body: hashed });
    },
    replace: async (id, body, call) => {
      await warnOfNode(body, call);
      await store.write(replaceProvider, { ...inputOf(body, call), id, ifMatch: call.ifMatch });
      const shown = await found(id, call.request.headers['accept-language']);
      if (shown === undefined) throw new AppError('not-found', `There is no provider ${id}.`);
      return shown;
    },
    remove: (id, { principal, request, ifMatch }) =>
      store.write(removeProvider, { id, caller: callerAt(principal, request), ifMatch }),
  });
  return [...crud, checkRoute(parts)];
}

function checkRoute({ store, now, checkProvider }: ProviderParts): Route {
  return defineRoute({
    method: 'POST',
    path: `/api/v1/${path}/:id/test`,
    scope: 'admin',
    tag,
    operationId: 'testProvider',
    summary: 'Check a provider',
    description: 'Connects to it and signs in, as a delivery would, without calling anybody.',
    params: idParams('provider', 2),
    headers: sentenceHeaders,
    responses: {
      200: Type.Object(
        {
          ok: Type.Boolean({ description: 'Whether it can be used.' }),
          reason: Type.String({ description: 'Why not, in the language of `Accept-Language`; empty if it can.' }),
        },
        { title: 'ProviderTest', description: 'The result of a check.' },
      ),
    },
    refusals: ['not-found'],
    handle: async ({ params: { id }, request }) => {
      if ((await store.read(getProvider, { id, now: now() })) === undefined)
        throw new AppError('not-found', `There is no provider ${id}.`);
      const reason = await checkProvider(id);
      const language = sentenceLanguage(request.headers['accept-language']);
      return { ok: reason === undefined, reason: wordedReason(language, reason ?? '') };
    },
  });
}

/** Mistakes in secrets are found here: behind this they are encrypted. An unknown kind is refused by the operation. */
function sealed(
  kind: string,
  secrets: Readonly<Record<string, string | null>>,
  box: Pick<SecretBox, 'seal'>,
): Readonly<Record<string, string | null>> {
  const known = kindNamed(kind);
  const problems = known === undefined ? [] : secretProblemsOf(known, secrets);
  refuseFields(problems.map(({ field, message }) => ({ field: `secrets.${field}`, message })));
  const entries = Object.entries(secrets);
  return Object.fromEntries(entries.map(([name, secret]) => [name, secret === null ? null : box.seal(secret, name)]));
}
