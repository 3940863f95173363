// Callers of each role that are bound to one station: a user who is signed in, and an API key.

import type { ObjectKind } from '../openapi/openapi-requests.ts';
import type { Site } from '../site/site.ts';

const scopesOf = {
  supervisor:
    'alarms:read alarms:write alarms:ack alarms:mask history:read calls:send calls:read calls:control directory:read calendar:read directory:write',
  operator:
    'alarms:read alarms:write alarms:ack alarms:mask history:read calls:send calls:read directory:read calendar:read',
  observer: 'alarms:read history:read calls:read directory:read calendar:read',
  source: 'alarms:write',
} as const;
export type BoundRole = keyof typeof scopesOf;
export const boundRoles = Object.keys(scopesOf) as readonly BoundRole[];

export type BoundCaller = {
  readonly role: BoundRole;
  readonly kind: 'user' | 'key';
  readonly token: string;
  /** The caller's own user, and another session of that user. */
  readonly own: Partial<Record<ObjectKind, number>>;
};

const password = 'a password of the tenants';

/** Makes a user and an API key of the role, bound to the station. */
export async function boundCallers(
  site: Site,
  role: BoundRole,
  stationId: number,
  prefix = '',
): Promise<readonly BoundCaller[]> {
  const name = `${prefix}${role} of ${stationId}`;
  const user = await site.create('/users', { name, role, password, stationIds: [stationId] });
  const token = await site.app.signIn(name, password);
  const { items } = await site.as(await site.app.signIn(name, password)).list('/auth/sessions?sort=-id');
  return [
    { role, kind: 'user', token, own: { user, session: Number(items[0]?.id) } },
    { role, kind: 'key', token: await site.keyFor(scopesOf[role].split(' '), [stationId]), own: {} },
  ];
}
