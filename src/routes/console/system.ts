// The route of the report on the installation, for administrators.

import type { SystemReport } from '../../domain/system-report.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { version } from '../../version.ts';
import { printSystemReport, systemReportSchema } from '../../wire/system-report.ts';

type SystemParts = { readonly systemReport: () => Promise<SystemReport>; readonly timeZone: string };

export function systemRoute({ systemReport, timeZone }: SystemParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/v1/system',
    operationId: 'getSystemReport',
    scope: 'admin',
    tag: 'Site',
    summary: 'Get a report on the installation',
    description:
      'Version, nodes, database, disk, channels with the health of their providers over 24 hours, heartbeat, certificate, and the settings without secrets.',
    responses: { 200: systemReportSchema },
    refusals: [],
    handle: async ({ now }) => printSystemReport(await systemReport(), { version, now, timeZone }),
  });
}
