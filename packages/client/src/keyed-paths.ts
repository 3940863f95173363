// The paths whose POST takes the header `Idempotency-Key`; made by `npm run docs`, not by hand.

export const keyedPaths: readonly string[] = [
  '/api/v1/alarms',
  '/api/v1/alarms/{id}/comments',
  '/api/v1/alarms/batch',
  '/api/v1/stations',
  '/api/v1/dataservers',
  '/api/v1/taggroups',
  '/api/v1/users',
  '/api/v1/teams',
  '/api/v1/callgroups',
  '/api/v1/callgroupgroupings',
  '/api/v1/schedules',
  '/api/v1/scenarios',
  '/api/v1/schedules/{id}/overrides',
  '/api/v1/schedules/{id}/take',
  '/api/v1/schedules/{id}/swap',
  '/api/v1/call/users',
  '/api/v1/call/groups',
  '/api/v1/call/test',
  '/api/v1/callgroups/{id}/drill',
  '/api/v1/providers',
];
