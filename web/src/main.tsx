// Starts the console in the page.

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { reloadAfterUpgrade } from './app/reload-after-upgrade.ts';
import { router } from './app/router.tsx';
import { applyTheme, currentTheme } from './app/theme.ts';
import { startBlinking } from './components/blink.ts';
import { connectServer } from './data/server.ts';
import { WordsProvider } from './words/words-provider.tsx';
import './styles/base.css';

connectServer();
applyTheme(currentTheme());
startBlinking(document.documentElement);

// Without HTTPS there is no service worker, except on this machine.
if ('serviceWorker' in navigator) void navigator.serviceWorker.register('service-worker.js').catch(() => undefined);

reloadAfterUpgrade();

const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } });
const place = document.getElementById('console');
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <WordsProvider>
          <RouterProvider router={router} />
        </WordsProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
