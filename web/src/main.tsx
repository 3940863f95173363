// Starts the console in the page.

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './app/router.tsx';
import { ScreenPlace } from './app/screen-place.tsx';
import { applyTheme, currentTheme } from './app/theme.ts';
import { startBlinking } from './components/blink.ts';
import { refetchEvery } from './data/lists/query-failures.ts';
import { connectServer } from './data/server.ts';
import { onSession, shownUser } from './data/session.ts';
import { WordsProvider } from './words/words-provider.tsx';
import './styles/base.css';

connectServer();
applyTheme(currentTheme());
startBlinking(document.documentElement);

// Without HTTPS there is no service worker, except on this machine.
if ('serviceWorker' in navigator) void navigator.serviceWorker.register('service-worker.js').catch(() => undefined);

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      refetchInterval: refetchEvery(false),
      refetchOnWindowFocus: false,
      // Without a network a query fails and says so; waiting for it would look like reading.
      networkMode: 'always',
    },
  },
});
// What was read for one user is not for the next one of the browser.
let owner = shownUser();
onSession(() => {
  if (shownUser() === owner) return;
  owner = shownUser();
  queries.clear();
});

const place = document.getElementById('console');
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <WordsProvider>
          {/* The last resort: the frame itself threw. */}
          <ScreenPlace address="" beforeRetry={() => queries.clear()}>
            <RouterProvider router={router} />
          </ScreenPlace>
        </WordsProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
