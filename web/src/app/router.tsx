// The screens and their addresses; the state of a screen is in its address. All screens are loaded with the page: one that is
// fetched when it is opened would be missing when the network is.

import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { basePath } from '../data/server.ts';
import { readAlarmsSearch } from '../pages/alarms/alarms-search.ts';
import { CallsPage } from '../pages/calls/calls-page.tsx';
import { readCallsSearch } from '../pages/calls/calls-search.ts';
import { FirstStartGate } from '../pages/first-start/first-start-gate.tsx';
import { HistoryPage } from '../pages/history/history-page.tsx';
import { readHistorySearch } from '../pages/history/history-search.ts';
import { OccurrencePage } from '../pages/occurrence/occurrence-page.tsx';
import { readOccurrenceSearch } from '../pages/occurrence/occurrence-search.ts';
import { OnCallPage } from '../pages/on-call/on-call-page.tsx';
import { readOnCallSearch } from '../pages/on-call/on-call-search.ts';
import { PhonesPage } from '../pages/phones/phones-page.tsx';
import { readPhonesSearch } from '../pages/phones/phones-search.ts';
import { StatisticsPage } from '../pages/statistics/statistics-page.tsx';
import { readStatisticsSearch } from '../pages/statistics/statistics-search.ts';
import { SystemPage } from '../pages/system/system-page.tsx';
import { Root } from './root.tsx';
import { UnknownAddress } from './unknown-address.tsx';

const root = createRootRoute({ component: Root, notFoundComponent: UnknownAddress });

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/alarms' });
  },
});

const alarms = createRoute({
  getParentRoute: () => root,
  path: '/alarms',
  validateSearch: readAlarmsSearch,
  component: FirstStartGate,
});

const history = createRoute({
  getParentRoute: () => root,
  path: '/history',
  validateSearch: readHistorySearch,
  component: HistoryPage,
});

const occurrence = createRoute({
  getParentRoute: () => root,
  path: '/occurrence',
  validateSearch: readOccurrenceSearch,
  component: OccurrencePage,
});

const statistics = createRoute({
  getParentRoute: () => root,
  path: '/statistics',
  validateSearch: readStatisticsSearch,
  component: StatisticsPage,
});

const onCall = createRoute({
  getParentRoute: () => root,
  path: '/oncall',
  validateSearch: readOnCallSearch,
  component: OnCallPage,
});

const calls = createRoute({
  getParentRoute: () => root,
  path: '/calls',
  validateSearch: readCallsSearch,
  component: CallsPage,
});

const phones = createRoute({
  getParentRoute: () => root,
  path: '/phones',
  validateSearch: readPhonesSearch,
  component: PhonesPage,
});

const system = createRoute({
  getParentRoute: () => root,
  path: '/system',
  component: SystemPage,
});

export const router = createRouter({
  routeTree: root.addChildren([start, alarms, history, occurrence, statistics, onCall, calls, phones, system]),
  basepath: basePath === '' ? '/' : basePath,
  // What a screen does not understand of an address is taken out of it, and does not act.
  search: { strict: true },
  // What a screen throws is caught in its place, and what the frame throws around the router.
  disableGlobalCatchBoundary: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
