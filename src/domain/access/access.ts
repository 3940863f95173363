// Access control: scopes, the roles that are named sets of scopes, and the stations a caller is bound to. Pure.

import { mayCause } from './effects.ts';

export const scopes = [
  'alarms:read',
  'alarms:write',
  'alarms:ack',
  'alarms:mask',
  'history:read',
  'calls:send',
  'calls:read',
  'calls:control',
  'directory:read',
  'directory:write',
  'calendar:read',
  'audit:read',
  'commands:run',
  'admin',
] as const;

export type Scope = (typeof scopes)[number];

const reading: readonly Scope[] = ['alarms:read', 'history:read', 'calls:read', 'directory:read', 'calendar:read'];
const operating: readonly Scope[] = [...reading, 'alarms:write', 'alarms:ack', 'alarms:mask', 'calls:send'];

export const roles = {
  administrator: scopes,
  supervisor: [...operating, 'calls:control', 'directory:write', 'audit:read'],
  operator: operating,
  observer: reading,
  source: ['alarms:write'],
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof roles;

/** The authenticated caller: a signed-in user or an API key, with its scopes and stations. */
export type Principal = {
  readonly kind: 'user' | 'key';
  /** The user's id or the key's id, by kind. */
  readonly id: number;
  readonly name: string;
  /** The session of a signed-in user; undefined for a key. */
  readonly sessionId: number | undefined;
  readonly scopes: readonly Scope[];
  /** The stations the caller is bound to; empty means all of them. */
  readonly stationIds: readonly number[];
};

/** Returns the effective scopes: `admin` covers the whole installation, so a caller bound to stations never has it. */
export function scopesWithin(stationIds: readonly number[], granted: readonly Scope[]): readonly Scope[] {
  return stationIds.length === 0 ? granted : granted.filter((scope) => scope !== 'admin');
}

export function mayUse(principal: Principal, scope: Scope): boolean {
  return principal.scopes.includes(scope);
}

/** Whether objects of `stationId` are visible to this caller. */
export function seesStation(principal: Pick<Principal, 'stationIds'>, stationId: number): boolean {
  return principal.stationIds.length === 0 || principal.stationIds.includes(stationId);
}

/** Whether a person is visible to this caller; a person bound to no station is visible to everybody. */
export function seesPerson(
  principal: Pick<Principal, 'stationIds'>,
  { stationIds }: { readonly stationIds: readonly number[] },
): boolean {
  return stationIds.length === 0 || stationIds.some((id) => seesStation(principal, id));
}

/** The part of a principal that an operation needs: the actor for the event log, and the stations. */
export type Caller = {
  readonly actor: string;
  readonly stationIds: readonly number[];
  /** Whether commands that the caller requests may run. */
  readonly mayRunCommands?: true;
  /** The address of the request, for the audit trail; not set for reads and for reports of alarms. */
  readonly address?: string;
};

const callers = new WeakMap<Principal, Caller>();

/**
 * Returns the same object for the same principal, so that several operations sent to the writer thread together
 * serialise it once.
 */
export function callerOf(principal: Principal): Caller {
  return callers.get(principal) ?? newCaller(principal);
}

function newCaller(principal: Principal): Caller {
  const plain = { actor: `${principal.kind}:${principal.id}`, stationIds: principal.stationIds };
  const caller: Caller = mayCause(principal, 'run a script') ? { ...plain, mayRunCommands: true } : plain;
  callers.set(principal, caller);
  return caller;
}

/** Returns the caller of a change, with the address that the request came from. */
export function callerAt(principal: Principal, { remoteAddress }: { readonly remoteAddress: string }): Caller {
  return { ...callerOf(principal), address: remoteAddress };
}

/** The program itself: `system` acts for nobody, `cli` for the person at the terminal. */
export const systemCaller: Caller = { actor: 'system', stationIds: [] };
export const terminalCaller: Caller = { actor: 'cli', stationIds: [] };

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text);
}

export function isRole(text: string): text is Role {
  return Object.hasOwn(roles, text);
}
