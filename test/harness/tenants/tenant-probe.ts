// Requests every operation of the OpenAPI document as callers bound to station A, and checks each response for anything
// of station B.

import type { OpenApiDocument } from '../../../src/http/openapi/document.ts';
import type { Chance } from '../chance.ts';
import {
  type ApiOperation,
  type BuiltRequest,
  buildRequest,
  type Fill,
  type ObjectKind,
  operationsOf,
  type Slot,
} from '../openapi/openapi-requests.ts';
import type { Answer } from '../site/app.ts';
import type { Site } from '../site/site.ts';
import { soak } from '../soak.ts';
import type { BoundCaller } from './bound-callers.ts';
import { marker, type TwoTenants } from './two-tenants.ts';

const absentId = 4_000_000;
const mostBreaches = 50;

/** Fields of responses that must not name an object of station B, with the kind of object they name. */
const kindOfField: Readonly<Record<string, ObjectKind>> = {
  stationId: 'station',
  stationIds: 'station',
  userId: 'user',
  ackUserId: 'user',
  replacedById: 'user',
  alarmId: 'alarm',
  alarmIds: 'alarm',
  taken: 'alarm',
  occurrenceId: 'occurrence',
  teamId: 'team',
  teamIds: 'team',
  scheduleId: 'schedule',
  callGroupId: 'callGroup',
  groupId: 'callGroup',
};

type Paging = { readonly total: number; readonly limit: number };

/** A response without its request id and numbers, so that two of the same kind compare equal. */
function likeness({ status, text, headers }: Answer): string {
  // On a slow machine a forecast may end at its limit of time.
  const same = text.replace(/"requestId":"[^"]+"/g, '').replace(/"stopped":\{[^}]*"limit":"time"\},?/g, '');
  return `${status} ${headers.get('tocsin-warnings')} ${same}`.replace(/\d+/g, 'N');
}

/** Operations that only read, although their method is POST. */
const readingPosts: ReadonlySet<string> = new Set(['/api/v1/explain', '/api/v1/schedules/preview']);

function isReading({ method, path }: ApiOperation): boolean {
  return method === 'GET' || readingPosts.has(path);
}

function isRemoval(operation: ApiOperation): boolean {
  return operation.method === 'DELETE' || isLogout(operation);
}

function stageOf(operation: ApiOperation): 'parts' | 'others' | 'removals' {
  if (operation.slots.filter(({ where }) => where === 'path').length > 1) return 'parts';
  return isRemoval(operation) ? 'removals' : 'others';
}

/**
 * Operations that set people of station A off duty or give them other numbers, which is seen in teams of station B that the
 * administrator lent them to.
 */
const changesOwnPeople: ReadonlySet<string> = new Set(['/api/v1/users/{id}/duty', '/api/v1/me']);

/** Whether the operation ends the session of the caller. */
function isLogout({ path }: ApiOperation): boolean {
  return path.endsWith('/logout');
}

export class TenantProbe {
  readonly operations: readonly ApiOperation[];
  readonly #site: Site;
  readonly #tenants: TwoTenants;
  readonly #chance: Chance;
  readonly #statuses = new Map<ApiOperation, Set<number>>();
  /** What the responses gave away, one sentence each, without repetitions. */
  readonly #breaches = new Set<string>();
  #count = 0;

  constructor(site: Site, document: OpenApiDocument, tenants: TwoTenants, chance: Chance) {
    this.operations = operationsOf(document);
    this.#site = site;
    this.#tenants = tenants;
    this.#chance = chance;
  }

  get count(): number {
    return this.#count;
  }

  get breaches(): readonly string[] {
    return [...this.#breaches];
  }

  #expect(isFine: boolean, breach: () => string): void {
    if (!isFine && this.#breaches.size < mostBreaches) this.#breaches.add(breach());
  }

  /** The operations of these scopes that were never carried out, nor refused for what was asked; the test must learn them. */
  unreached(scopes: ReadonlySet<string>): readonly string[] {
    const isReached = (status: number): boolean => status < 300 || [409, 422, 503].includes(status);
    return this.operations
      .filter(({ scope }) => scopes.has(scope))
      .filter((operation) => ![...(this.#statuses.get(operation) ?? [])].some(isReached))
      .map(({ method, path }) => `${method} ${path}`);
  }

  /** Reads everything the caller may read, with `share` percent of the requests. */
  async readAll(caller: BoundCaller, share: number): Promise<void> {
    for (const operation of this.operations.filter(isReading)) {
      for (const fill of this.#ownFills(operation, caller)) {
        if (!this.#chance.percent(share)) continue;
        await this.#send(caller, operation, fill);
        await this.#send(caller, operation, fill, { isWhole: true });
      }
      for (const parameter of operation.query) {
        if (!this.#chance.percent(share)) continue;
        const slot = operation.slots.find(({ where, name }) => where === 'query' && name === parameter.name);
        if (slot === undefined) await this.#tryParameter(caller, operation, parameter);
        else await this.#send(caller, operation, this.#own([slot]));
      }
    }
  }

  async #tryParameter(caller: BoundCaller, operation: ApiOperation, { name, schema }: ApiOperation['query'][number]) {
    if (name === 'search') {
      for (const word of this.#some(this.#tenants.words)) {
        const own = this.#own();
        const found = await this.#send(caller, operation, own, { query: { search: word } });
        const none = await this.#send(caller, operation, own, { query: { search: 'nothing has this word' } });
        this.#expect(
          likeness(found) === likeness(none),
          () => `${operation.path}: the search for ${word} finds something`,
        );
      }
      return;
    }
    const values = name === 'limit' ? [0, 1_000] : (schema.enum ?? [0, 1, 2, '2026-11-15T12:05:00Z']);
    for (const value of values)
      await this.#send(caller, operation, this.#own(), { query: { [name]: value as string } });
  }

  /** Puts ids of station B and an absent one into each place that takes an id: the responses must be alike. */
  async compareIds(caller: BoundCaller, share: number): Promise<void> {
    for (const operation of this.operations) {
      for (const slot of operation.slots) {
        for (const id of this.#some(this.#tenants.hidden[slot.kind])) {
          const own = this.#own([slot]);
          if (!this.#chance.percent(share) || (await this.#holds(operation, own, slot, id))) continue;
          const asked = (value: number | string) => (one: Slot) => (one === slot ? value : own(one));
          const absent = typeof id === 'string' ? 'absent.txt' : absentId;
          // In a list, sometimes beside an id of station A.
          const isBeside = slot.isList && own(slot) !== undefined && this.#chance.percent(50);
          const listed = (one: number | string) => asked(isBeside ? `${own(slot)},${one}` : one);
          const foreign = await this.#send(caller, operation, listed(id));
          const unknown = await this.#send(caller, operation, listed(absent));
          const what = `${caller.role} ${operation.method} ${operation.path}: ${slot.name} of station B is not like an absent one`;
          this.#expect(
            likeness(foreign) === likeness(unknown),
            () => `${what}\n  ${likeness(foreign)}\n  ${likeness(unknown)}`,
          );
        }
      }
    }
  }

  /** Whether the object that is to be replaced names this id already: it was put there by an administrator, and may stay. */
  async #holds(operation: ApiOperation, fill: Fill, slot: Slot, id: number | string) {
    if (operation.method !== 'PUT' || slot.where !== 'body') return false;
    // The duty of somebody is a part of their entry.
    const path = buildRequest(operation, fill).path.replace(/\/duty$/, '');
    const { body } = await this.#site.app.request('GET', path, { token: this.#site.token });
    const [field = ''] = slot.name.split('#');
    const value = (body as Readonly<Record<string, unknown>>)[field];
    return (
      JSON.stringify(value ?? null)
        .match(/\d+/g)
        ?.includes(String(id)) ?? false
    );
  }

  /**
   * Changes what the caller may change, with ids of station A. `parts` are objects within others, such as overrides: they come
   * first, because a change of a call group may leave their schedule to nobody.
   */
  async changeAll(caller: BoundCaller, share: number, which: 'parts' | 'others' | 'removals'): Promise<void> {
    // Removals come after other changes, and the end of the caller's session last.
    const place = (one: ApiOperation): number => (isLogout(one) ? 2 : isRemoval(one) ? 1 : 0);
    const inOrder = this.operations.toSorted((one, other) => place(one) - place(other));
    for (const operation of inOrder.filter((one) => !isReading(one) && !changesOwnPeople.has(one.path))) {
      if (stageOf(operation) !== which) continue;
      for (const fill of this.#ownFills(operation, caller)) {
        if (!this.#chance.percent(share)) continue;
        await this.#send(caller, operation, fill);
        if (operation.body !== undefined) await this.#send(caller, operation, fill, { isWhole: true });
      }
      for (const slot of operation.slots) {
        if (slot.where === 'path' || isRemoval(operation) || !this.#chance.percent(share)) continue;
        await this.#send(caller, operation, this.#own([slot]));
      }
    }
  }

  /** Two of the list, chosen at random; ten times as many in a soak test. */
  #some<T>(ids: readonly T[]): readonly T[] {
    const most = soak(20);
    if (ids.length <= most) return ids;
    const first = this.#chance.int(0, ids.length);
    return [...ids.slice(first), ...ids.slice(0, first)].slice(0, most);
  }

  /** Fills the path with each id of station A in turn, and leaves the rest out. */
  #ownFills({ slots }: ApiOperation, caller: BoundCaller) {
    const inPath = slots.filter(({ where }) => where === 'path');
    const [first, part] = inPath;
    if (first === undefined) return [this.#own()];
    const mine = [caller.own[first.kind], part && this.#tenants.ownerOf[part.kind]].filter((id) => id !== undefined);
    const ids = [...mine, ...this.#some(this.#tenants.seen[first.kind])];
    return ids.map((id) => {
      const own = this.#own();
      return (slot: Slot) => (slot === first ? id : own(slot));
    });
  }

  /** Fills path slots and the given ones with ids of station A, each always with the same; the others stay empty. */
  #own(filled: readonly Slot[] = []) {
    const chosen = new Map<Slot, number | string>();
    return (slot: Slot): number | string | undefined => {
      const ids = this.#tenants.seen[slot.kind];
      if (ids.length === 0 || (slot.where !== 'path' && !filled.includes(slot))) return undefined;
      const id = chosen.get(slot) ?? this.#chance.pick(ids);
      chosen.set(slot, id);
      return id;
    };
  }

  async #send(
    caller: BoundCaller,
    operation: ApiOperation,
    fill: Fill,
    extras: { readonly query?: Readonly<Record<string, string | number>>; readonly isWhole?: boolean } = {},
  ): Promise<Answer> {
    // Calendars are public, because their key may be in the address; a token in the header is taken too. So does the site.
    const takesToken = operation.takesToken || operation.query.some(({ name }) => name === 'key');
    // A forecast of a whole day shows no more of others than one of two hours, and took most of the time of the test.
    const short = operation.query.some(({ name }) => name === 'hours') ? { hours: 2 } : {};
    const request = buildRequest(operation, fill, { ...extras, query: { ...short, ...extras.query } });
    const answer = await this.#site.app.request(request.method, request.path, {
      token: operation.scope === 'public' && !takesToken ? undefined : caller.token,
      body: request.body,
    });
    this.#count += 1;
    const statuses = this.#statuses.get(operation) ?? new Set();
    this.#statuses.set(operation, statuses.add(answer.status));
    this.#check(`${caller.role} (${caller.kind}) ${operation.method} ${operation.path}`, request, answer);
    return answer;
  }

  #check(what: string, request: BuiltRequest, answer: Answer): void {
    const { status, text, body } = answer;
    this.#expect(status < 500 || request.path.startsWith('/health/'), () => `${what}: ${text}`);
    // A refusal repeats what was sent; only what comes from the server counts.
    const sent = decodeURIComponent(request.path) + JSON.stringify(request.body);
    // The id of a request is random, so it may hold any digits.
    const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id');
    const received = `${headers.flat().join('\n')}\n${text.replace(/"requestId":"[^"]+"/g, '')}`;
    // The whole expression alone tries each place of a long answer.
    if (!marker.test(received)) return;
    const markers = received.match(new RegExp(`.{0,60}(?:${marker.source})\\w*`, 'gi')) ?? [];
    const leaks = markers.filter((leak) => !sent.includes(leak.replace(/^.*(xqzb\w+|\+33991991\d+)$/i, '$1')));
    for (const leak of leaks.slice(0, 3))
      this.#expect(false, () => `${what} gives away ${leak.replace(/\d+/g, 'N').replace(/xqzb\w+/g, 'xqzb')}`);
    if (status !== 200) return;
    this.#refuseForeignIds(body, JSON.stringify(request.body) ?? '', what);
    const { paging, items } = (body ?? {}) as { paging?: Paging; items?: readonly unknown[] };
    const isWhole = paging !== undefined && paging.limit > paging.total && !/[?&]offset=[^0]/.test(request.path);
    this.#expect(!isWhole || items?.length === paging.total, () => `${what}: the total is not that of the list`);
  }

  #refuseForeignIds(value: unknown, sent: string, what: string): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [field, inner] of Object.entries(value)) {
      const kind = kindOfField[field];
      const hidden = kind === undefined ? [] : this.#tenants.hidden[kind];
      const names = (Array.isArray(inner) ? inner : [inner]).filter(
        (id) => hidden.includes(id) && !new RegExp(`\\b${id}\\b`).test(sent),
      );
      this.#expect(names.length === 0, () => `${what}: ${field} is the id of a ${kind} of station B`);
      this.#refuseForeignIds(inner, sent, what);
    }
  }
}
