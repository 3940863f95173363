// The routes of the console: one page for all its screens, and the files that it loads.

import { Type } from 'typebox';
import { html } from '../../domain/html.ts';
import { AppError } from '../../errors.ts';
import { ReadyFile, ReadyOnce, type UnknownPage } from '../ready-file.ts';
import { type Call, defineRoute, fileResponse, type Route, respond } from '../route.ts';
import { ConsoleFiles } from './files.ts';

/** The console runs scripts of this server alone, sends requests to it alone, and shows files that it has read itself. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'self'",
  "form-action 'none'",
].join('; ');

const screens = ['alarms', 'history', 'occurrence', 'statistics', 'oncall', 'calls', 'phones', 'system'] as const;
const shared = { method: 'GET', scope: 'public', tag: 'Service', refusals: [], isPage: true } as const;

export function consoleRoutes({ basePath }: { readonly basePath: string }): Route[] {
  const files = new ConsoleFiles();
  const page = pageOf(files, basePath);
  return [startRoute(basePath), ...screens.map((screen) => screenRoute(screen, page)), ...fileRoutes(files)];
}

function startRoute(basePath: string): Route {
  return defineRoute({
    ...shared,
    path: '/',
    operationId: 'getConsole',
    summary: 'Leads to the console',
    responses: { 302: Type.Void() },
    handle: async ({ setHeader }) => {
      setHeader('location', `${basePath}/alarms`);
      return respond(302, undefined);
    },
  });
}

function screenRoute(screen: string, page: () => Promise<ReadyFile | undefined>): Route {
  return defineRoute({
    ...shared,
    path: `/${screen}`,
    operationId: `getConsole${screen.charAt(0).toUpperCase()}${screen.slice(1)}`,
    summary: 'A screen of the console',
    contentType: 'text/html; charset=utf-8',
    responses: { 200: Type.String(), 304: Type.Void() },
    handle: async ({ setHeader }) => {
      setHeader('content-security-policy', policy);
      setHeader('cache-control', 'no-cache');
      return (await page()) ?? notBuilt.html;
    },
  });
}

/** What a browser is shown at an address where nothing is: the console, which says so and names the nearest screen. */
export function consolePage({ basePath }: { readonly basePath: string }): UnknownPage {
  const page = pageOf(new ConsoleFiles(), basePath);
  return {
    headers: { 'content-security-policy': policy, 'cache-control': 'no-cache' },
    file: page,
  };
}

/** The page of every screen: each loads the same files, whatever its address. */
function pageOf(files: ConsoleFiles, basePath: string): () => Promise<ReadyFile | undefined> {
  const based = new ReadyOnce((index: ReadyFile) => {
    const text = new TextDecoder().decode(index.bytes);
    return ReadyFile.of(index.type, text.replace('<head>', `<head>${html`<base href="${basePath}/">`.html}`));
  });
  return async () => {
    const index = await files.read('index.html');
    return index && based.get(index);
  };
}

const notBuilt = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Tocsin</title></head>
<body>
<h1>The console is not built</h1>
<p>The server runs and calls people. Build its console with <code>npm run build:console</code>, then load this page again.</p>
</body>
</html>
`;

const fileShape = {
  ...shared,
  summary: 'A file of the console',
  fileTypes: ['text/javascript', 'text/css', 'font/woff2', 'image/svg+xml', 'application/manifest+json'],
  responses: { 200: fileResponse, 304: Type.Void() },
} as const;

function fileRoutes(files: ConsoleFiles): Route[] {
  const fixed = ['icon.svg', 'manifest.webmanifest', 'service-worker.js'].map((name, index) =>
    defineRoute({
      ...fileShape,
      path: `/${name}`,
      operationId: `getConsoleFile${index + 1}`,
      handle: async (call) => {
        // The service worker is held to the policy of its own file.
        call.setHeader('content-security-policy', policy);
        return sendFile(await files.read(name), call.setHeader, 'no-cache');
      },
    }),
  );
  const asset = defineRoute({
    ...fileShape,
    path: '/assets/:name',
    params: Type.Object({ name: Type.String() }),
    operationId: 'getConsoleAsset',
    // The names of assets have a hash of their content.
    handle: async (call) =>
      sendFile(await files.read(`assets/${call.params.name}`), call.setHeader, 'public, max-age=31536000, immutable'),
  });
  return [...fixed, asset];
}

function sendFile(file: ReadyFile | undefined, setHeader: Call['setHeader'], kept: string): ReadyFile {
  if (file === undefined) throw new AppError('not-found', 'There is nothing at this address.');
  setHeader('cache-control', kept);
  return file;
}
