// Who may do what: scopes, the roles that are named sets of them, and the stations a caller is bound to. Pure.

export const scopes = [
  'alarms:read',
  'alarms:write',
  'alarms:ack',
  'alarms:mask',
  'history:read',
  'calls:send',
  'calls:read',
  'directory:read',
  'directory:write',
  'commands:run',
  'admin',
] as const;

export type Scope = (typeof scopes)[number];

const reading: readonly Scope[] = ['alarms:read', 'history:read', 'calls:read', 'directory:read'];
const operating: readonly Scope[] = [...reading, 'alarms:write', 'alarms:ack', 'alarms:mask', 'calls:send'];

export const roles = {
  administrator: scopes,
  supervisor: [...operating, 'directory:write'],
  operator: operating,
  observer: reading,
  source: ['alarms:write'],
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof roles;

/** Who is asking: a signed-in user or an API key, with what it may do and where. */
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

/** What a role or key may do where: `admin` is for the whole house, so a caller bound to stations never has it. */
export function scopesWithin(stationIds: readonly number[], granted: readonly Scope[]): readonly Scope[] {
  return stationIds.length === 0 ? granted : granted.filter((scope) => scope !== 'admin');
}

export function mayUse(principal: Principal, scope: Scope): boolean {
  return principal.scopes.includes(scope);
}

/** Whether what belongs to `stationId` exists at all for this caller. */
export function seesStation(principal: Pick<Principal, 'stationIds'>, stationId: number): boolean {
  return principal.stationIds.length === 0 || principal.stationIds.includes(stationId);
}

/** The same for a person; who is bound to no station is everybody's. */
export function seesPerson(
  principal: Pick<Principal, 'stationIds'>,
  { stationIds }: { readonly stationIds: readonly number[] },
): boolean {
  return stationIds.length === 0 || stationIds.some((id) => seesStation(principal, id));
}

/** The part of a caller that a change needs: whom to name in the log, and what is theirs. */
export type Caller = {
  readonly actor: string;
  readonly stationIds: readonly number[];
  /** Whether commands that the caller asks for are run. */
  readonly mayRunCommands?: true;
};

const callers = new WeakMap<Principal, Caller>();

/** The same object for the same principal: of several commands that cross a thread together, it then crosses once. */
export function callerOf(principal: Principal): Caller {
  return callers.get(principal) ?? newCaller(principal);
}

function newCaller(principal: Principal): Caller {
  const plain = { actor: `${principal.kind}:${principal.id}`, stationIds: principal.stationIds };
  const caller: Caller = mayUse(principal, 'commands:run') ? { ...plain, mayRunCommands: true } : plain;
  callers.set(principal, caller);
  return caller;
}

/** The program itself, on behalf of whoever runs it at a terminal or of nobody. */
export const systemCaller: Caller = { actor: 'system', stationIds: [] };
export const terminalCaller: Caller = { actor: 'cli', stationIds: [] };

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text);
}

export function isRole(text: string): text is Role {
  return Object.hasOwn(roles, text);
}
