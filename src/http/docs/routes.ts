// The routes that describe the interface: the OpenAPI document for programs, the reference and the errors for people.

import { Type } from 'typebox';
import { type About, type OpenApiDocument, openApiDocument } from '../openapi/document.ts';
import { openApi30 } from '../openapi/version-30.ts';
import { ReadyFile, ReadyOnce } from '../ready-file.ts';
import { defineRoute, fileResponse, type Route, respond } from '../route.ts';
import { readLibrary } from './library.ts';
import { errorsPage, referencePage } from './pages.ts';
import { startScript } from './start-script.ts';
import { pageStyle } from './style.ts';

/**
 * The reference runs scripts of this server alone and sends requests to it alone. Its library sets styles of elements,
 * which cannot be allowed one by one.
 */
const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
const plainPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const dayMs = 86_400_000;
const shared = { method: 'GET', scope: 'public', tag: 'Service', refusals: [] } as const;
const documentSchema = Type.Object(
  {},
  { additionalProperties: true, title: 'OpenApiDocument', description: 'The document.' },
);

/** Returns the routes that describe `others` and themselves. */
export function referenceRoutes(others: readonly Route[], about: Omit<About, 'now'>): Route[] {
  const routes: Route[] = [];
  // Generated on request, because most servers never serve it, and once a day, because of examples in the future.
  const documentOn = (day: number): OpenApiDocument =>
    openApiDocument([...others, ...routes], { ...about, now: day * dayMs });
  routes.push(
    documentRoute('/api/v1/openapi.json', 'getOpenApi', 'This interface as OpenAPI 3.1', documentOn),
    documentRoute('/api/v1/openapi-3.0.json', 'getOpenApi30', 'This interface as OpenAPI 3.0', (day) =>
      openApi30(documentOn(day)),
    ),
  );
  return [...routes, ...pageRoutes(about), ...redirects(about)];
}

function documentRoute(path: string, operationId: string, summary: string, documentOn: (day: number) => object): Route {
  const document = new ReadyOnce((day: number) =>
    ReadyFile.of('application/json; charset=utf-8', JSON.stringify(documentOn(day))),
  );
  return defineRoute({
    ...shared,
    path,
    operationId,
    summary,
    ...(path.includes('3.0') ? { description: 'For generators of clients that do not read 3.1.' } : {}),
    responses: { 200: documentSchema, 304: Type.Void() },
    handle: ({ now }) => document.get(Math.floor(now / dayMs)),
  });
}

function pageRoutes(about: About): Route[] {
  const page = (path: string, operationId: string, contentType: string, policy: string, text: () => string): Route => {
    const file = new ReadyOnce(() => ReadyFile.of(contentType, text()));
    return defineRoute({
      ...shared,
      isPage: true,
      path,
      operationId,
      summary: 'A page of the reference',
      contentType,
      responses: { 200: Type.String(), 304: Type.Void() },
      handle: ({ setHeader }) => {
        setHeader('content-security-policy', policy);
        return file.get(undefined);
      },
    });
  };
  const htmlType = 'text/html; charset=utf-8';
  return [
    page('/docs', 'getDocs', htmlType, referencePolicy, () => referencePage(about)),
    page('/docs/errors', 'getDocsErrors', htmlType, plainPolicy, () => errorsPage(about)),
    page('/docs/style.css', 'getDocsStyle', 'text/css; charset=utf-8', plainPolicy, () => pageStyle),
    page('/docs/start.js', 'getDocsStart', 'text/javascript; charset=utf-8', plainPolicy, () => startScript),
    libraryRoute(),
  ];
}

/** Some megabytes that change with a release only. */
function libraryRoute(): Route {
  const library = new ReadyOnce(async () => ReadyFile.of('text/javascript; charset=utf-8', await readLibrary()));
  return defineRoute({
    ...shared,
    isPage: true,
    path: '/docs/reference.js',
    operationId: 'getDocsReference',
    summary: 'The library of the reference',
    fileTypes: ['text/javascript'],
    responses: { 200: fileResponse, 304: Type.Void() },
    handle: () => library.get(undefined),
  });
}

/** Where tools of the original product look for its description. */
function redirects({ basePath }: About): Route[] {
  return ['/swagger', '/swagger/*'].map((path) =>
    defineRoute({
      ...shared,
      isPage: true,
      path,
      operationId: path === '/swagger' ? 'getSwagger' : 'getBelowSwagger',
      summary: 'Leads to the reference',
      responses: { 302: Type.Void() },
      handle: async ({ setHeader }) => {
        setHeader('location', `${basePath}/docs`);
        return respond(302, undefined);
      },
    }),
  );
}
