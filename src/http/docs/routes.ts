// The routes that describe the interface: the OpenAPI document for programs, the reference page for people.

import { Type } from 'typebox';
import { openApiDocument } from '../openapi.ts';
import { defineRoute, type Route } from '../route.ts';
import { referencePage } from './page.ts';
import { referenceStyle } from './style.ts';

type About = { readonly version: string; readonly basePath: string };

// The only page that loads a resource: its own style sheet.
const pagePolicy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Returns the routes that describe `others` and themselves. */
export function referenceRoutes(others: readonly Route[], about: About): Route[] {
  const shared = { method: 'GET', scope: 'public', tag: 'Service', refusals: [] } as const;
  // Generated on the first request, because most servers never serve it.
  let document: ReturnType<typeof openApiDocument> | undefined;
  let page: string | undefined;
  const documentOnce = () => (document ??= openApiDocument([...others, ...routes], about));
  const routes: Route[] = [
    defineRoute({
      ...shared,
      path: '/api/v1/openapi.json',
      summary: 'This interface as OpenAPI 3.1',
      responses: { 200: Type.Object({}, { additionalProperties: true }) },
      handle: async () => documentOnce(),
    }),
    defineRoute({
      ...shared,
      path: '/docs',
      summary: 'This interface as a page to read',
      contentType: 'text/html; charset=utf-8',
      responses: { 200: Type.String() },
      handle: async ({ setHeader }) => {
        setHeader('content-security-policy', pagePolicy);
        page ??= referencePage(documentOnce());
        return page;
      },
    }),
    defineRoute({
      ...shared,
      path: '/docs/style.css',
      summary: 'The style of that page',
      contentType: 'text/css; charset=utf-8',
      responses: { 200: Type.String() },
      handle: async () => referenceStyle,
    }),
  ];
  return routes;
}
