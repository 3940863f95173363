// The route of the report on the installation, for administrators.

import { Type } from 'typebox';
import { callerAt } from '../../domain/access/access.ts';
import type { SystemReport } from '../../domain/system-report.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { decideQuarantined } from '../../operations/quarantine/unplanned-end.ts';
import type { Store } from '../../store/store.ts';
import { version } from '../../version.ts';
import { sentenceHeaders, sentenceLanguage } from '../../wire/accept-language.ts';
import { uint } from '../../wire/paging.ts';
import { printSystemReport, systemReportSchema, workKind } from '../../wire/system-report.ts';

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
    headers: sentenceHeaders,
    handle: async ({ now, request }) => {
      const language = sentenceLanguage(request.headers['accept-language']);
      return printSystemReport(await systemReport(), { version, now, timeZone, language });
    },
  });
}

const decisions = {
  release: {
    operationId: 'releaseQuarantinedWork',
    summary: 'Begin quarantined work like any other',
    description:
      'Forgets that it was under way when the server ended unexpectedly, as after an upgrade that mends the fault.',
  },
  drop: {
    operationId: 'dropQuarantinedWork',
    summary: 'Give quarantined work up',
    description:
      "It is not begun again before it is released. A call ends as failed, without using up a try of the person: the person's next number, or the next person, is called.",
  },
} as const;

const workParams = Type.Object({
  kind: workKind,
  id: uint({ description: 'Its id, as in the report on the installation.', examples: [1] }),
});

/** The routes by which an administrator decides on work that was under way when the server ended unexpectedly. */
export function quarantineRoutes({ store }: { readonly store: Store }): Route[] {
  return (['release', 'drop'] as const).map((how) =>
    defineRoute({
      method: 'POST',
      path: `/api/v1/system/quarantine/:kind/:id/${how}`,
      scope: 'admin',
      tag: 'Site',
      ...decisions[how],
      params: workParams,
      responses: { 200: Type.Literal(true, { description: 'It is done.' }) },
      refusals: ['not-found'],
      handle: async ({ params: { kind, id }, principal, request }) => {
        await store.write(decideQuarantined, { caller: callerAt(principal, request), kind, id, how });
        return true as const;
      },
    }),
  );
}
