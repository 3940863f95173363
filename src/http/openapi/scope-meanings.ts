// Describes each scope for the OpenAPI document: the requests that it allows.

import type { Scope } from '../../domain/access/access.ts';

export const scopeMeanings: Readonly<Record<Scope, string>> = {
  'alarms:read': 'see alarms',
  'alarms:write': 'send and change alarms',
  'alarms:ack': 'acknowledge, reset, comment and escalate alarms, take the duty',
  'alarms:mask': 'mask, unmask and remove alarms',
  'history:read': 'see histories, statistics and interventions',
  'calls:send': 'call people and groups',
  'calls:read': 'see calls, and explanations of whom an alarm calls',
  'calls:control': 'cancel messages, tests and drills, and acknowledge for somebody else',
  'directory:read': 'see people, groups, schedules, stations and media',
  'directory:write': 'change groups, schedules, stations and media',
  'calendar:read': 'see the duty as a calendar',
  'audit:read': 'see the journal',
  'commands:run': 'send alarms that run scripts, and attach scenarios that do',
  admin: 'users, API keys, sessions and metrics',
};
