// The reference page: one HTML page generated from the OpenAPI document, without scripts, every text escaped.

import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorCodes } from '../../errors.ts';
import type { OpenApiDocument, Operation, Parameter, ResponseObject } from '../openapi.ts';
import { errorAnchor, problemType } from '../problem.ts';
import { type Html, html } from './html.ts';
import { exampleOf, meaning, prose, schemaTable, typeLabel } from './schema-table.ts';

type LocatedOperation = { readonly method: string; readonly path: string; readonly operation: Operation };
type Schemas = OpenApiDocument['components']['schemas'];

export function referencePage(document: OpenApiDocument): string {
  const { info, tags, components } = document;
  const base = (document.servers[0]?.url ?? '').replace(/\/$/, '');
  const operations = operationsOf(document);
  const groups = tags.map(({ name }) => ({ name, operations: operations.filter((o) => o.operation.tags[0] === name) }));
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} ${info.version} interface</title>
<link rel="stylesheet" href="${base}/docs/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Contents">
<p class="brand"><a href="#content">${info.title}</a> <span>${info.version}</span></p>
${groups.map(({ name, operations: group }) => navGroup(name, group))}
<h2><a href="#errors">Errors</a></h2>
</nav>
<main id="content">
<header>
<h1>${info.title} interface</h1>
${info.description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
<p>The same as <a href="${base}/api/v1/openapi.json">OpenAPI 3.1</a>. The examples below expect two variables:</p>
<pre><code>TOCSIN=http://localhost:8080${base}
TOKEN=…</code></pre>
</header>
${groups.map(
  ({ name, operations: group }) => html`<section class="tag" id="${tagAnchor(name)}">
<h2>${name}</h2>
${group.map((located) => article(located, components.schemas))}
</section>`,
)}
${errorCatalogue()}
</main>
</body>
</html>
`;
  return page.html;
}

function operationsOf({ paths }: OpenApiDocument): LocatedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

const tagAnchor = (name: string): string => `tag-${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;

function navGroup(name: string, operations: readonly LocatedOperation[]): Html {
  return html`<h2><a href="#${tagAnchor(name)}">${name}</a></h2>
<ul>${operations.map(
    ({ method, operation }) =>
      html`<li><a href="#${operation.operationId}">${badge(method)} ${operation.summary}</a></li>`,
  )}</ul>`;
}

function badge(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method === 'DELETE' ? 'DEL' : method}</span>`;
}

function article({ method, path, operation }: LocatedOperation, schemas: Schemas): Html {
  const body = operation.requestBody?.content;
  const [bodyType, bodyContent] = Object.entries(body ?? {})[0] ?? [];
  return html`<article id="${operation.operationId}">
<h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
<p class="address">${badge(method)} <code>${path}</code> ${scopeChip(operation)}</p>
${proseParagraphs(operation)}
${operation.parameters.length > 0 ? parameterTable(operation.parameters, schemas) : undefined}
${bodyContent === undefined ? undefined : html`<h4>Body <small>${Object.keys(body ?? {}).join(', ')}</small></h4>${schemaTable(bodyContent.schema, schemas, 'body')}`}
<h4>Answers</h4>
${Object.entries(operation.responses).map(([status, response]) => responseOf(status, response, schemas))}
${refusalList(operation['x-refusals'])}
<h4>Example</h4>
<pre><code>${curl(method, path, operation, bodyType, schemas)}</code></pre>
</article>`;
}

/** Returns the description without its last paragraph, the scope, which is shown as a chip. */
function proseParagraphs({ description }: Operation): Html[] {
  const paragraphs = description.split('\n\n').slice(0, -1);
  return paragraphs.map((paragraph) => html`<p>${prose(paragraph)}</p>`);
}

function scopeChip(operation: Operation): Html {
  const scope = operation['x-scope'];
  if (scope === 'public') return html`<span class="scope public">no token needed</span>`;
  return html`<span class="scope">${scope === 'signed-in' ? 'any token' : `scope ${scope}`}</span>`;
}

function parameterTable(parameters: readonly Parameter[], schemas: Schemas): Html {
  const rows = parameters.map(
    ({ name, in: where, required, description, schema }) => html`<tr>
      <th scope="row"><code>${name}</code>${required ? html`<span class="required">${where}</span>` : undefined}${where === 'header' ? html`<span class="optional">header</span>` : undefined}</th>
      <td class="type">${typeLabel(schema, schemas)}</td>
      <td>${meaning({ ...schema, ...(description === undefined ? {} : { description }) })}</td>
    </tr>`,
  );
  return html`<h4>Parameters</h4>
<div class="scroll"><table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/** Prints a response of the route's own; refusals are listed separately. */
function responseOf(status: string, { content }: ResponseObject, schemas: Schemas): Html {
  const own = Object.entries(content ?? {}).filter(([type]) => type !== problemType);
  const schema = own[0]?.[1].schema;
  if (content !== undefined && schema === undefined) return html``;
  const kind = status.startsWith('2') ? 'good' : 'bad';
  const types = schema === undefined ? 'no body' : own.map(([type]) => type).join(', ');
  return html`<p class="response"><span class="status ${kind}">${status}</span> ${STATUS_CODES[status]} <small>${types}</small></p>
${schema === undefined ? undefined : schemaTable(schema, schemas, 'response')}`;
}

function refusalList(codes: readonly ErrorCode[]): Html {
  const sorted = codes.toSorted((a, b) => errorCodes[a].status - errorCodes[b].status);
  return html`<ul class="refusals" aria-label="Refusals">${sorted.map(
    (code) =>
      html`<li><a href="#${errorAnchor(code)}"><span class="status bad">${errorCodes[code].status}</span> ${code}</a></li>`,
  )}</ul>`;
}

function curl(
  method: string,
  path: string,
  operation: Operation,
  bodyType: string | undefined,
  schemas: Schemas,
): string {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((candidate) => candidate.name === name);
    return encodeURIComponent(String(exampleOf(parameter?.schema ?? {}, schemas)));
  });
  const schema = operation.requestBody?.content[bodyType ?? '']?.schema;
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$TOCSIN${address}"`,
    ...(operation['x-scope'] === 'public' ? [] : ['  -H "Authorization: Bearer $TOKEN"']),
    ...(schema === undefined ? [] : bodyArguments(bodyType ?? '', exampleOf(schema, schemas))),
  ];
  return lines.join(' \\\n');
}

function bodyArguments(type: string, example: unknown): string[] {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  if (type === 'application/json') {
    return ["  -H 'Content-Type: application/json'", `  -d ${quoted(JSON.stringify(example, undefined, 2))}`];
  }
  if (type === '*/*') return ['  --data-binary @FILE'];
  return Object.entries(example as Record<string, unknown>).map(
    ([name, value]) => `  --data-urlencode ${quoted(`${name}=${value}`)}`,
  );
}

function errorCatalogue(): Html {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  return html`<section class="tag" id="errors">
<h2>Errors</h2>
<p>Every refusal is <code>${problemType}</code> (RFC 9457). Programs go by <code>code</code>; <code>detail</code> and <code>errors</code> are for people; <code>requestId</code> finds the request in the log of the server.</p>
<div class="scroll"><table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">Worth trying again</th></tr></thead>
<tbody>${codes.map(errorRow)}</tbody>
</table></div>
</section>`;
}

function errorRow(code: ErrorCode): Html {
  const { status, title, retryable } = errorCodes[code];
  return html`<tr id="${errorAnchor(code)}">
    <th scope="row"><code>${code}</code></th>
    <td><span class="status bad">${status}</span></td>
    <td>${title}.</td>
    <td>${retryable ? 'yes' : 'no'}</td>
  </tr>`;
}
