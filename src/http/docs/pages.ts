// The pages for people: the reference, which a library draws from the OpenAPI document, and the list of errors.

import { type Html, html } from '../../domain/html.ts';
import { type ErrorCode, errorCodes } from '../../errors.ts';
import { errorAnchor, problemType } from '../problem.ts';

type Place = { readonly basePath: string; readonly version: string };

function pageOf({ basePath, version }: Place, title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} of Tocsin ${version}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${basePath}/docs/style.css">
</head>
<body>
${body}
</body>
</html>
`.html;
}

/** The page of the reference. Its plain text is for browsers without scripts; the library removes it when it starts. */
export function referencePage(place: Place): string {
  const { basePath } = place;
  return pageOf(
    place,
    'Interface',
    html`<div id="reference"></div>
<main class="plain" id="without-script">
<h1>Tocsin interface</h1>
<p>This page needs JavaScript. The same without it:
<a href="${basePath}/api/v1/openapi.json">OpenAPI 3.1</a>,
<a href="${basePath}/api/v1/openapi-3.0.json">OpenAPI 3.0</a>,
<a href="${basePath}/docs/errors">the errors</a>.</p>
</main>
<script src="${basePath}/docs/reference.js"></script>
<script src="${basePath}/docs/start.js" data-base="${basePath}"></script>`,
  );
}

export function errorsPage(place: Place): string {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  return pageOf(
    place,
    'Errors',
    html`<main class="plain">
<p><a href="${place.basePath}/docs">Tocsin interface</a></p>
<h1>Errors</h1>
<p>Every refusal is <code>${problemType}</code> (RFC 9457). Programs go by <code>code</code>; <code>detail</code> and <code>errors</code> are for people; <code>requestId</code> finds the request in the log of the server.</p>
<div class="scroll"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">Worth trying again</th></tr></thead>
<tbody>${codes.map(errorRow)}</tbody>
</table></div>
</main>`,
  );
}

function errorRow(code: ErrorCode): Html {
  const { status, title, retryable } = errorCodes[code];
  return html`<tr id="${errorAnchor(code)}">
    <th scope="row"><code>${code}</code></th>
    <td>${status}</td>
    <td>${title}.</td>
    <td>${retryable ? 'yes' : 'no'}</td>
  </tr>`;
}
