// The screens and their addresses; the state of a screen is in its address.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { basePath } from '../data/server.ts';
import { readAlarmsSearch } from '../pages/alarms/alarms-search.ts';
import { readCallsSearch } from '../pages/calls/calls-search.ts';
import { readHistorySearch } from '../pages/history/history-search.ts';
import { readOnCallSearch } from '../pages/on-call/on-call-search.ts';
import { readPhonesSearch } from '../pages/phones/phones-search.ts';
import { readStatisticsSearch } from '../pages/statistics/statistics-search.ts';
import { Root } from './root.tsx';

const root = createRootRoute({ component: Root });

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
  component: lazyRouteComponent(() => import('../pages/first-start/first-start-gate.tsx'), 'FirstStartGate'),
});

const history = createRoute({
  getParentRoute: () => root,
  path: '/history',
  validateSearch: readHistorySearch,
  component: lazyRouteComponent(() => import('../pages/history/history-page.tsx'), 'HistoryPage'),
});

const statistics = createRoute({
  getParentRoute: () => root,
  path: '/statistics',
  validateSearch: readStatisticsSearch,
  component: lazyRouteComponent(() => import('../pages/statistics/statistics-page.tsx'), 'StatisticsPage'),
});

const onCall = createRoute({
  getParentRoute: () => root,
  path: '/oncall',
  validateSearch: readOnCallSearch,
  component: lazyRouteComponent(() => import('../pages/on-call/on-call-page.tsx'), 'OnCallPage'),
});

const calls = createRoute({
  getParentRoute: () => root,
  path: '/calls',
  validateSearch: readCallsSearch,
  component: lazyRouteComponent(() => import('../pages/calls/calls-page.tsx'), 'CallsPage'),
});

const phones = createRoute({
  getParentRoute: () => root,
  path: '/phones',
  validateSearch: readPhonesSearch,
  component: lazyRouteComponent(() => import('../pages/phones/phones-page.tsx'), 'PhonesPage'),
});

const system = createRoute({
  getParentRoute: () => root,
  path: '/system',
  component: lazyRouteComponent(() => import('../pages/system/system-page.tsx'), 'SystemPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([start, alarms, history, statistics, onCall, calls, phones, system]),
  basepath: basePath === '' ? '/' : basePath,
  defaultPreload: 'intent',
  // What a screen does not understand of an address is taken out of it, and does not act.
  search: { strict: true },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
