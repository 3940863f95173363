// The list of all routes of the server, from which the OpenAPI document is generated too.

import { consoleRoutes } from '../http/console/routes.ts';
import { referenceRoutes } from '../http/docs/routes.ts';
import type { Route } from '../http/route.ts';
import { version } from '../version.ts';
import { ownAccessRoute } from './access/own-access.ts';
import { alarmBatchRoutes } from './alarm-batches.ts';
import { alarmSeriesRoute } from './alarms/series.ts';
import { alarmRoutes } from './alarms.ts';
import { authRoutes } from './auth.ts';
import { answerPageRoutes } from './calls/answer-page.ts';
import { deliveryReportRoute } from './calls/delivery-reports.ts';
import { openCallRoutes } from './calls/open-calls.ts';
import { callPolicyRoutes } from './calls/policy.ts';
import { callRoutes } from './calls.ts';
import { demoRoutes } from './console/demo.ts';
import { sourceRoute } from './console/sources.ts';
import { quarantineRoutes, systemRoute } from './console/system.ts';
import { viewRoutes } from './console/views.ts';
import { explainCallsRoutes } from './explain-calls.ts';
import { healthRoutes } from './health.ts';
import { alarmHistoryRoutes } from './history.ts';
import { intakeRefusalRoutes } from './intake-refusals.ts';
import { journalRoute } from './journal.ts';
import { mediaRoutes } from './media.ts';
import { onCallRoutes } from './on-call.ts';
import { numberVerificationRoute } from './people/number-verification.ts';
import { overrideRoutes } from './people/overrides.ts';
import { ownEntryRoutes } from './people/own-entry.ts';
import { peopleRoutes } from './people.ts';
import { plantRoutes } from './plant.ts';
import { providerRoutes } from './providers.ts';
import { scheduleRoutes } from './schedules.ts';
import { securityContactRoute } from './security-contact.ts';
import { phoneRoutes } from './simulator/phones.ts';
import { ringInRoutes } from './simulator/ring-in.ts';
import { siteRoute } from './site.ts';
import { tagMeanings } from './tags.ts';

type RouteParts = { readonly basePath: string } & Parameters<typeof authRoutes>[0] &
  Parameters<typeof peopleRoutes>[0] &
  Parameters<typeof callRoutes>[0] &
  Parameters<typeof numberVerificationRoute>[0] &
  Parameters<typeof providerRoutes>[0] &
  Parameters<typeof answerPageRoutes>[0] &
  Parameters<typeof deliveryReportRoute>[0] &
  Parameters<typeof alarmRoutes>[0] &
  Parameters<typeof siteRoute>[0] &
  Parameters<typeof systemRoute>[0] &
  Parameters<typeof demoRoutes>[0] &
  Parameters<typeof securityContactRoute>[0] &
  Parameters<typeof healthRoutes>[0];

/** Declares the routes that take what sources send; others are declared with them. */
function intakesOn(parts: RouteParts): Route[] {
  return [...alarmRoutes(parts), ...alarmBatchRoutes(parts), ...callRoutes(parts)];
}

export function routesOf(parts: RouteParts): Route[] {
  const routes = [
    ...alarmHistoryRoutes(parts),
    alarmSeriesRoute(parts),
    ...alarmRoutes(parts),
    ...alarmBatchRoutes(parts),
    ...authRoutes(parts),
    ownAccessRoute(parts),
    ...plantRoutes(parts.store),
    ...peopleRoutes(parts),
    ...ownEntryRoutes(parts),
    ...viewRoutes(parts),
    sourceRoute(parts),
    systemRoute(parts),
    ...quarantineRoutes(parts),
    ...demoRoutes(parts),
    numberVerificationRoute(parts),
    ...overrideRoutes(parts.store),
    ...scheduleRoutes(parts),
    ...onCallRoutes(parts),
    ...mediaRoutes(parts.store),
    ...callRoutes(parts),
    ...openCallRoutes(parts),
    ...callPolicyRoutes(parts),
    ...answerPageRoutes(parts),
    ...providerRoutes(parts),
    deliveryReportRoute(parts),
    ...explainCallsRoutes(parts),
    ...phoneRoutes(parts),
    ...ringInRoutes(parts),
    journalRoute(parts),
    securityContactRoute(parts),
    siteRoute(parts),
    ...intakeRefusalRoutes({ ...parts, intakesOn: (store) => intakesOn({ ...parts, store }) }),
    ...healthRoutes(parts),
  ];
  const reference = referenceRoutes(routes, { version, basePath: parts.basePath, tags: tagMeanings });
  return [...routes, ...reference, ...consoleRoutes(parts)];
}
