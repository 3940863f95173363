// The kinds of entries in the audit trail. Pure.

import { type PeopleKind, peopleKinds } from '../people/entities.ts';
import { type PlantKind, plantKinds } from '../plant/entities.ts';

type ResourceKind = PlantKind | PeopleKind;
const verbs = ['created', 'changed', 'removed'] as const;

const otherKinds = [
  'sign-in',
  'sign-in.failed',
  'sign-out',
  'quarantine.dropped',
  'quarantine.released',
  'session.ended',
  'key.created',
  'key.revoked',
  'key.bound',
  'key.taken-over',
  'request.refused',
  'user.password-set',
  'schedule.holidays-read',
  'media.stored',
  'media.removed',
  'callPolicy.changed',
  'views.changed',
  'provider.created',
  'provider.changed',
  'provider.removed',
  'callingMeans.changed',
  'scripts.changed',
  'alarm.acknowledged',
  'alarm.reset',
  'alarm.masked',
  'alarm.unmasked',
  'alarm.mask-expired',
  'alarm.acknowledgement-expired',
  'alarm.commented',
  'alarm.scenarios-attached',
  'alarm.removed',
  'call.requested',
  'call.drilled',
  'call.cancelled',
  'call.escalated',
  'call.attempt',
  'call.answered',
  'call.rang-in',
  'call.ring-in-refused',
  'intake.retried',
  'clock.stepped',
  'demo.made',
  'demo.removed',
  'store.created',
  'store.restored',
  'audit.trimmed',
] as const;

export type AuditKind = `${ResourceKind}.${(typeof verbs)[number]}` | (typeof otherKinds)[number];

const resources = [...Object.keys(plantKinds), ...Object.keys(peopleKinds)];

/** All kinds, in alphabetical order. */
export const auditKinds: readonly string[] = [
  ...resources.flatMap((resource) => verbs.map((verb) => `${resource}.${verb}`)),
  ...otherKinds,
].sort();
