// Tests docs/interface.md: its tables equal the schemas, and its paths are exactly the served ones.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { roles } from '../src/domain/access/access.ts';
import { type AlarmCommand, type AlarmRules, type AlarmState, newLife } from '../src/domain/alarms/alarm.ts';
import { transition } from '../src/domain/alarms/transition.ts';
import { errorCodes } from '../src/errors.ts';
import type { DocumentSchema } from '../src/http/openapi/components.ts';
import type { OpenApiDocument, Operation } from '../src/http/openapi/document.ts';
import { maxUint } from '../src/wire/paging.ts';
import { inlined } from './harness/openapi/inlined-openapi.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(`${root}/${file}`, 'utf8');
const sections = sectionsOf(read('docs/interface.md'));
const { paths } = inlined(JSON.parse(read('docs/openapi.json')) as OpenApiDocument);

/** Section number → title and text, without the text of its subsections. */
function sectionsOf(document: string): ReadonlyMap<string, { readonly title: string; readonly text: string }> {
  const [, ...parts] = document.split(/^#{2,3} (?=\d)/m);
  const found = parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const [, number = '', title = ''] = /^([\d.]*\d)\.? (.*)$/.exec(heading) ?? [];
    return [number, { title, text: lines.join('\n') }] as const;
  });
  assert.equal(new Set(found.map(([number]) => number)).size, found.length, 'no number twice');
  return new Map(found);
}

function textOf(section: string): string {
  return sections.get(section)?.text ?? assert.fail(`there is no section ${section}`);
}

type Row = ReadonlyMap<string, string>;

/** The rows of each table, with the cells by column title. */
function tablesOf(section: string): readonly (readonly Row[])[] {
  const tables = textOf(section).match(/(?:^\|.*\n?)+/gm) ?? [];
  return tables.map((table) => {
    const [head = [], , ...rows] = table.trim().split('\n').map(cellsOf);
    return rows.map((cells) => {
      assert.equal(cells.length, head.length, `${section}: ${cells[0]}`);
      return new Map(cells.map((cell, index) => [head[index] ?? '', cell]));
    });
  });
}

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

/** The texts between backticks. */
const codeIn = (text = ''): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

function operation(method: string, path: string): Operation {
  return paths[path]?.[method.toLowerCase()] ?? assert.fail(`there is no ${method} ${path}`);
}

function answerOf(method: string, path: string): DocumentSchema {
  const schema = operation(method, path).responses['200']?.content?.['application/json']?.schema;
  return schema ?? assert.fail(`${method} ${path} answers no JSON`);
}

function itemOf(path: string): DocumentSchema {
  return answerOf('GET', path).properties?.items?.items ?? assert.fail(`GET ${path} is no list`);
}

function bodyOf(path: string): DocumentSchema {
  return operation('POST', path).requestBody?.content['application/json']?.schema ?? assert.fail(`${path} has no body`);
}

function isList(path: string): boolean {
  const schema = paths[path]?.get?.responses['200']?.content?.['application/json']?.schema;
  return schema?.properties?.paging !== undefined;
}

/** The name that the document uses for a type. */
function wordsFor(schema: DocumentSchema): string {
  const { type, minimum, maximum, items, anyOf, maxItems } = schema;
  if (Array.isArray(type))
    return type.map((one) => (one === 'null' ? one : wordsFor({ ...schema, type: one }))).join(' or ');
  if (anyOf !== undefined) return anyOf.map(wordsFor).join(' or ');
  if (schema.enum !== undefined) return type === 'integer' ? `integer 0 to ${schema.enum.length - 1}` : 'string';
  if (type === 'array') return `array${maxItems === undefined ? '' : ` ≤ ${maxItems}`} of ${wordsFor(items ?? {})}`;
  if (type === 'integer' && minimum !== undefined)
    return minimum === 0 && maximum === maxUint ? 'uint' : `integer ${minimum} to ${maximum}`;
  return type === 'string' ? wordsForText(schema) : String(type ?? 'anything');
}

function wordsForText({ format, pattern, minLength, maxLength }: DocumentSchema): string {
  if (format !== undefined) return format;
  if (pattern !== undefined) return 'duration';
  if (maxLength === undefined) return 'string';
  return minLength === undefined ? `string ≤ ${maxLength}` : `string ${minLength} to ${maxLength}`;
}

type Field = { readonly schema: DocumentSchema; readonly isRequired: boolean };

/** Every field by its path, such as `location.zone` or `alarmActions[].id`. */
function fieldsOf(schema: DocumentSchema, prefix = ''): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const path = `${prefix}${name}`;
    fields.set(path, { schema: field, isRequired: schema.required?.includes(name) ?? false });
    const inner = field.items === undefined ? fieldsOf(field, `${path}.`) : fieldsOf(field.items, `${path}[].`);
    for (const [innerName, innerField] of inner) fields.set(innerName, innerField);
  }
  return fields;
}

/** The schema with only these fields, without nested ones. */
function flat(schema: DocumentSchema, names: readonly string[] = Object.keys(schema.properties ?? {})): DocumentSchema {
  const withoutInner = ({ properties: _, items, ...rest }: DocumentSchema): DocumentSchema =>
    items === undefined ? rest : { ...rest, items: withoutInner(items) };
  const properties = names.map((name) => [name, withoutInner(schema.properties?.[name] ?? {})] as const);
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Each name of the first column, with its row. */
function namesIn(table: readonly Row[] = []): readonly (readonly [name: string, row: Row])[] {
  return table.flatMap((row) => codeIn([...row.values()][0]).map((name) => [name, row] as const));
}

/**
 * Asserts that the table has exactly these fields, with their types, defaults and choices, and whether each is always
 * present.
 */
function holds(label: string, table: readonly Row[] | undefined, schema: DocumentSchema): void {
  const fields = fieldsOf(schema);
  const named = namesIn(table);
  assert.deepEqual(
    named.map(([name, row]) => `${name}: ${row.get('Type')}`).toSorted(),
    [...fields].map(([name, field]) => `${name}: ${wordsFor(field.schema)}`).toSorted(),
    label,
  );
  for (const [name, row] of named) {
    const { schema: field, isRequired } = fields.get(name) ?? assert.fail(name);
    const line = [...row.values()].join(' ');
    const choices = (field.enum ?? []).filter((value) => typeof value === 'string');
    for (const choice of choices) assert.ok(codeIn(line).includes(choice), `${name} takes ${choice}`);
    if (row.has('Present')) assert.equal(row.get('Present') === 'always', isRequired, `${label} ${name} is present`);
    if (!row.has('Default')) continue;
    assert.equal(row.get('Default') === 'needed', isRequired, `${label} ${name} is needed`);
    const given = row.get('Default')?.replaceAll('`', '').split(', ') ?? [];
    if (field.default !== undefined)
      assert.ok(
        given.includes(String(field.default)),
        `the row ${name} of ${label} does not give the default ${JSON.stringify(field.default)} of the schema`,
      );
  }
}

test('2.1 has the fields of all lists; only statistics and interventions lack paging.offset', () => {
  const page = flat(answerOf('GET', '/api/v1/alarms'));
  const paging = answerOf('GET', '/api/v1/alarms').properties?.paging ?? assert.fail('no paging');
  const withoutOffset = answerOf('GET', '/api/v1/alarms/statistics').properties?.paging?.required ?? [];
  const shared = { ...paging, required: withoutOffset };
  holds('2.1', tablesOf('2.1')[0], { ...page, properties: { ...page.properties, paging: shared } });
  const lists = Object.keys(paths).filter(isList);
  assert.ok(lists.length > 10);
  for (const path of lists) {
    const { properties = {} } = answerOf('GET', path).properties?.paging ?? {};
    const isWithout = path.endsWith('/statistics') || path.endsWith('/interventions');
    const usual = isWithout ? ['limit', 'total'] : ['offset', 'limit', 'total'];
    assert.deepEqual(Object.keys(properties), path.endsWith('/journal') ? ['limit', 'next'] : usual, path);
  }
});

test('2.2 to 2.5 and 4.8 have the fields of the schemas', () => {
  const alarm = itemOf('/api/v1/alarms');
  const { required = [], properties = {} } = alarm;
  assert.equal(required.length, 20);
  holds('2.2', tablesOf('2.2')[0], flat(alarm, required));
  assert.deepEqual(
    namesIn(tablesOf('2.2')[0]).map(([name]) => name),
    required,
    'in their order',
  );
  const [always = '', sometimes = ''] = textOf('2.2').split('Always:')[1]?.split('If there is one:') ?? [];
  const alwaysInFull = answerOf('GET', '/api/v1/alarms/{id}').required ?? [];
  for (const name of Object.keys(properties).filter((field) => !required.includes(field)))
    assert.ok(
      codeIn(alwaysInFull.includes(name) ? always : sometimes).includes(name),
      `2.2 does not name ${name} after "${alwaysInFull.includes(name) ? 'Always' : 'If there is one'}:"`,
    );
  holds('2.3', tablesOf('2.3')[0], itemOf('/api/v1/alarms/histories'));
  holds('2.4', tablesOf('2.4')[0], itemOf('/api/v1/alarms/statistics'));
  holds('2.5', tablesOf('2.5')[0], itemOf('/api/v1/alarms/interventions'));
  holds('4.8', tablesOf('4.8')[0], itemOf('/api/v1/call/histories'));
});

test('2.6 to 2.8 have the fields of the bodies', () => {
  const body = bodyOf('/api/v1/alarms');
  const { alarmActions = {}, resetActions = {}, ackActions = {} } = body.properties ?? {};
  assert.deepEqual([resetActions.items, ackActions.items], [alarmActions.items, alarmActions.items], 'all three alike');
  const listsAlone = flat(body, ['resetActions', 'ackActions']).properties;
  holds('2.6', tablesOf('2.6')[0], { ...body, properties: { ...body.properties, ...listsAlone } });
  const [users, groups] = [bodyOf('/api/v1/call/users'), bodyOf('/api/v1/call/groups')];
  holds('2.7', tablesOf('2.7')[0], { ...users, properties: { ...users.properties, ...groups.properties } });
  const [group, grouping] = [itemOf('/api/v1/callgroups'), itemOf('/api/v1/callgroupgroupings')];
  const { required = [], properties: written = {} } = bodyOf('/api/v1/callgroups');
  const defaults = Object.entries(group.properties ?? {}).map(
    ([name, field]) => [name, { ...field, ...onlyDefault(written[name]) }] as const,
  );
  holds('2.8', tablesOf('2.8')[0], { ...group, required, properties: Object.fromEntries(defaults) });
  const lastLine = codeIn(textOf('2.8').split('A grouping has')[1]);
  assert.deepEqual(
    lastLine.filter((name) => name !== 'teamIds').toSorted(),
    Object.keys(grouping.properties ?? {}).toSorted(),
  );
});

function onlyDefault({ default: value }: DocumentSchema = {}): DocumentSchema {
  return value === undefined ? {} : { default: value };
}

/** The query parameters as a schema, so that they can be compared with a table. */
function parametersOf({ parameters }: Operation): DocumentSchema {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  return { properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])) };
}

test('4.1 and 4.3 to 4.5 have the query parameters of their routes; the other sections name theirs', () => {
  holds('4.1', tablesOf('4.1')[0], parametersOf(operation('GET', '/api/v1/alarms')));
  for (const section of ['4.3', '4.4', '4.5']) {
    const [method = '', path = ''] = sections.get(section)?.title.split(' ') ?? [];
    holds(section, parameterRows(section), parametersOf(operation(method, path)));
  }
  for (const [section, method, path] of endpoints()) {
    const text = [section, ...elsewhereThan(section)].map(withoutFields).join(' ');
    for (const [name, schema] of Object.entries(parametersOf(operation(method, path)).properties ?? {})) {
      assert.ok(codeIn(text).includes(name), `${section} names ${name}`);
      const { minimum, maximum } = schema;
      if (name === 'wait') assert.match(text, new RegExp(`integer ${minimum} to ${maximum}`));
      if (name === 'limit' && schema.default !== 10) assert.match(text, new RegExp(`default ${schema.default}`));
    }
  }
});

/** The rows of parameters: those of the section itself, and those of the section it refers to, except what it leaves out. */
function parameterRows(section: string): readonly Row[] {
  const [own = []] = tablesOf(section);
  const [referred = []] = elsewhereThan(section).flatMap(tablesOf);
  const replaced = namesIn(own).map(([name]) => name);
  const [, without = ''] = /without `(\w+)`/.exec(textOf(section)) ?? [];
  const others = referred.filter((row) => namesIn([row]).every(([name]) => ![...replaced, without].includes(name)));
  return [...own, ...others];
}

/** The other section that lists the parameters, if there is one. */
function elsewhereThan(section: string): readonly string[] {
  return /Parameters as in ([\d.]*\d)/.exec(textOf(section))?.slice(1) ?? [];
}

/** The text without the table of fields, since a field may have the name of a parameter. */
function withoutFields(section: string): string {
  return textOf(section).split('| Field |')[0] ?? '';
}

/** The endpoints that have their own section. */
function endpoints(): readonly (readonly [section: string, method: string, path: string])[] {
  return [...sections]
    .filter(([section]) => section.startsWith('4.'))
    .map(([section, { title }]) => {
      const [method = '', path = ''] = title.split(' ');
      return [section, method, path] as const;
    });
}

test('4 and 10 list exactly the served paths, each once, with its scope', () => {
  const own = endpoints().map(([section, method, path]) => {
    const [, scope] = /Scope: `([^`]+)`/.exec(textOf(section)) ?? [];
    return `${method} ${path} ${scope}`;
  });
  assert.equal(own.length, 12);
  const added = (tablesOf('10')[0] ?? []).flatMap((row) => {
    const methods = row.get('Method')?.split(', ') ?? [];
    const scopes = codeIn(row.get('Scope'));
    assert.ok(scopes.length === 1 || scopes.length === methods.length, row.get('Path'));
    return methods.flatMap((method, index) =>
      codeIn(row.get('Path')).map((path) => `${method} ${path} ${scopes[index] ?? scopes[0]}`),
    );
  });
  const served = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { 'x-scope': scope }]) => `${method.toUpperCase()} ${path} ${scope}`),
  );
  const documented = [...own, ...added];
  for (const entry of served)
    assert.ok(
      documented.includes(entry),
      `"${entry}" is served but has no row in the table of section 10 of docs/interface.md`,
    );
  for (const entry of documented)
    assert.ok(served.includes(entry), `docs/interface.md lists "${entry}", which is not served`);
  assert.equal(documented.length, served.length, 'a path is listed twice');
});

test('every path in the text of the document is served', () => {
  const mentioned = [...read('docs/interface.md').matchAll(/`(GET|POST|PUT|DELETE) (\/[^`\s]*)`/g)];
  assert.ok(mentioned.length >= 4);
  for (const [, method = '', path = ''] of mentioned) operation(method, path);
});

test('every section number in the names of the interface tests exists', () => {
  const files = readdirSync(`${root}/test/conformance`).filter((name) => /^interface.*\.test\.ts$/.test(name));
  const titles = files.flatMap((name) =>
    [...read(`test/conformance/${name}`).matchAll(/\btestOnStores\(\s*(['"`])(.*?)\1,\s*async/gs)].map(
      ([, , title = '']) => title,
    ),
  );
  assert.ok(titles.length >= 10);
  for (const title of titles) {
    const [first = ''] = /^(?:\d+(?:\.\d+)*, )*\d+(?:\.\d+)* /.exec(title) ?? [];
    const named = [...(first.match(/\d+(?:\.\d+)*/g) ?? []), ...(title.match(/\b\d+\.\d+\b/g) ?? [])];
    assert.ok(named.length > 0, `"${title}" names no section`);
    for (const number of named) assert.ok(sections.has(number), `"${title}" names section ${number}`);
  }
});

const rules: AlarmRules = {
  transitory: false,
  reactivatable: false,
  resettable: true,
  temporary: false,
  alarmDelay: 0,
};
const report = (isRaised: boolean): AlarmCommand => ({ kind: 'report', isRaised });

/** In the order of the table of section 3. */
const happenings: readonly (readonly [AlarmCommand, Partial<AlarmRules>, isLatched: boolean])[] = [
  [report(true), {}, false],
  [report(true), { reactivatable: true }, false],
  [report(true), { transitory: true }, false],
  [report(false), {}, false],
  [report(false), { resettable: false }, false],
  [{ kind: 'acknowledge', by: 'Ana', comment: '' }, {}, false],
  [{ kind: 'reset' }, { resettable: false }, true],
  [{ kind: 'reset' }, { resettable: false }, false],
];

test('3 has the transitions of the state machine', () => {
  const table = tablesOf('3')[0] ?? [];
  assert.equal(table.length, happenings.length);
  for (const [index, [command, own, isLatched]] of happenings.entries()) {
    const [label, ...told] = [...(table[index]?.values() ?? [])];
    const done = ([0, 1, 2, 3] as const).map((state: AlarmState) => {
      const life = {
        ...newLife({ ...rules, ...own }, 0),
        state,
        isLatched: isLatched && (state & 1) === 1,
        raisedAt: 0,
      };
      const outcome = transition(life, command, 1);
      if (outcome.kind === 'accepted') return String(outcome.life.state);
      return outcome.reason === 'still-active' ? '422' : '409';
    });
    assert.deepEqual(told, done, label);
  }
});

test('5 has the roles and their scopes', () => {
  const told = new Map<string, readonly string[]>();
  let before: readonly string[] = [];
  for (const [, role = '', set = ''] of textOf('5').matchAll(/`(\w+)`: ((?:those|`[\w:]+`)(?:,\s`[\w:]+`)*)\./g)) {
    before = [...(set.startsWith('those') ? before : []), ...codeIn(set)];
    told.set(role, before.toSorted());
  }
  const known = Object.entries(roles).map(([role, scopes]) => [role, scopes.toSorted()] as const);
  assert.deepEqual(new Map([...told].toSorted()), new Map(known.toSorted()));
});

test('7 has every code under its status', () => {
  const told = (tablesOf('7')[0] ?? []).map((row) => [row.get('Status')?.split(', '), codeIn(row.get('Code'))]);
  const statusOf = (code: string) => String(errorCodes[code as keyof typeof errorCodes]?.status);
  for (const [statuses, codes] of told) assert.deepEqual(statuses, [...new Set(codes?.map(statusOf))]);
  assert.deepEqual(told.flatMap(([, codes]) => codes ?? []).toSorted(), Object.keys(errorCodes).toSorted());
});
