// Finds the places at which a fault would reach the event loop: listeners, timers, promise steps, callbacks and steps of a delivery.
// Each gets a name from where it stands, so no place can be without one.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnyNode, type CallExpression, type Expression, parse, type SpreadElement } from 'acorn';
import { ancestor } from 'acorn-walk';
import { transformSync } from 'esbuild';

/** Text to be put into the JavaScript at a position. */
type Insertion = { readonly at: number; readonly text: string };

type Callback = Expression | SpreadElement | AnyNode;
type Found = {
  readonly name: string;
  /** What is passed on: a function, or the name of one. */
  readonly given: Callback;
  /** The function, if it stands in the same file. */
  readonly callback: Callback;
};

const listeners = new Set(['on', 'once', 'addListener', 'prependListener', 'addEventListener', 'addHook']);
const removers = new Set(['off', 'removeListener', 'removeEventListener']);
const timers = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'nextTick']);
const promiseSteps = new Set(['then', 'catch', 'finally']);
/** Methods of sockets and streams that call back when they are done. */
const completions = new Set(['write', 'end', 'send', 'bind', 'listen', 'lookup', 'close', 'handleUpgrade', 'execFile']);
/** Callbacks that a part is made with. */
const callbackProperty = /^on[A-Z]/;
/** Methods that others call for each piece of work. */
const steps = new Set(['deliver', 'check', 'poll', 'perform', 'receive', 'handle', 'take', 'begin', 'connect']);

const sources = [
  'src/{access,app,channels,dispatch,http,hub,routes,store}/**/*.ts',
  'packages/{sip,signalr}/src/**/*.ts',
];

export function sourcesOf(root: string): readonly string[] {
  return globSync(sources, { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .toSorted();
}

/** The names of all places below `root`, in the order of the files. */
export function allPlaces(root: string): readonly string[] {
  return sourcesOf(root).flatMap((file) => placesIn(file, readFileSync(join(root, file), 'utf8')));
}

export function placesIn(file: string, typescript: string): readonly string[] {
  return found(file, plain(typescript)).places.map(({ name }) => name);
}

/** The source as JavaScript, in which each place calls `failpoint` with its name first. */
export function withFailpoints(file: string, typescript: string): string {
  const code = plain(typescript);
  const { places, removed } = found(file, code);
  const insertions: Insertion[] = places.flatMap((place) => insertionsFor(place));
  for (const { start, end } of removed) {
    insertions.push({ at: start, text: 'failpoints.wrapperOf(' }, { at: end, text: ')' });
  }
  // Those further back first, so that positions stay true.
  let text = code;
  for (const { at, text: part } of insertions.toSorted((one, other) => other.at - one.at))
    text = text.slice(0, at) + part + text.slice(at);
  return text;
}

function plain(typescript: string): string {
  return transformSync(typescript, { loader: 'ts', target: 'node24' }).code;
}

function insertionsFor({ name: plainName, given, callback: whole }: Found): readonly Insertion[] {
  const name = JSON.stringify(plainName);
  const callback = guardedBy(whole) ?? given;
  if (callback.type !== 'ArrowFunctionExpression' && callback.type !== 'FunctionExpression')
    return [
      { at: callback.start, text: `failpoints.wrap(${name}, ` },
      { at: callback.end, text: ')' },
    ];
  const { body } = callback;
  if (body.type === 'BlockStatement') return [{ at: body.start + 1, text: `failpoints.pass(${name});` }];
  return [
    { at: body.start, text: `(failpoints.pass(${name}), ` },
    { at: body.end, text: ')' },
  ];
}

function found(
  file: string,
  code: string,
): { readonly places: readonly Found[]; readonly removed: readonly AnyNode[] } {
  const places: Found[] = [];
  const removed: AnyNode[] = [];
  const named = new Map<string, number>();
  const tree = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const declared = functionsIn(tree);
  const add = (given: Callback, what: string, above: readonly AnyNode[]): void => {
    const callback = (given.type === 'Identifier' && declared.get(given.name)) || given;
    if (!isOurs(callback)) return;
    const name = [file, ...above.flatMap(nameOf), what].join(' ');
    const count = (named.get(name) ?? 0) + 1;
    named.set(name, count);
    places.push({ name: count === 1 ? name : `${name} #${count}`, given, callback });
  };
  ancestor(tree, {
    CallExpression(node, _state, above) {
      for (const { callback, what } of callbacksOf(node)) add(callback, what, above);
      if (removers.has(calledName(node)) && node.arguments[1] !== undefined) removed.push(node.arguments[1]);
    },
    Property({ key, value }, _state, above) {
      if (key.type === 'Identifier' && callbackProperty.test(key.name) && isFunction(value) && !reporters.has(key.name))
        add(value, key.name, above.slice(0, -1));
    },
    MethodDefinition({ key, value }, _state, above) {
      if (key.type === 'Identifier' && steps.has(key.name)) add(value, key.name, above.slice(0, -1));
    },
  });
  return { places, removed };
}

/** The functions that are constants of a file, by name. */
function functionsIn(tree: AnyNode): ReadonlyMap<string, Callback> {
  const declared = new Map<string, Callback>();
  ancestor(tree, {
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init && isFunction(init)) declared.set(id.name, init);
    },
  });
  return declared;
}

function callbacksOf(call: CallExpression): readonly { readonly callback: Callback; readonly what: string }[] {
  const name = calledName(call);
  const [first, second] = call.arguments;
  if (listeners.has(name) && first?.type === 'Literal' && second !== undefined)
    return [{ callback: second, what: `${name}('${first.value}')` }];
  // The timeout of a socket, not a timer: `socket.setTimeout(ms, listener)`.
  const isSocket = name === 'setTimeout' && call.callee.type === 'MemberExpression';
  if (timers.has(name))
    return (isSocket ? [second] : [first]).flatMap((callback) => (callback ? [{ callback, what: name }] : []));
  const last = call.arguments.at(-1);
  if (completions.has(name) && last !== undefined && isFunction(last)) return [{ callback: last, what: name }];
  if (promiseSteps.has(name)) return call.arguments.map((callback) => ({ callback, what: name }));
  return [];
}

function calledName({ callee }: CallExpression): string {
  if (callee.type === 'Identifier') return callee.name;
  return callee.type === 'MemberExpression' && 'name' in callee.property ? callee.property.name : '';
}

function isFunction({ type }: AnyNode): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
}

/** The handler inside of a callback that only passes it to a guard: `() => guard(() => handler())`. */
function guardedBy(callback: Callback): Callback | undefined {
  if (callback.type !== 'ArrowFunctionExpression' && callback.type !== 'FunctionExpression') return undefined;
  const { body } = callback;
  const [only] = body.type === 'BlockStatement' && body.body.length === 1 ? body.body : [];
  const call = only?.type === 'ExpressionStatement' ? only.expression : body;
  if (call.type !== 'CallExpression' || !/guard/i.test(calledName(call))) return undefined;
  return call.arguments.at(-1);
}

/** Callbacks that belong to a promise or a library, `undefined` in `then(undefined, fn)`, and what is told of faults. */
const othersCallbacks = new Set(['undefined', 'resolve', 'reject', 'done', 'next', 'onTrouble', 'onError', 'onFault']);
const reporters = new Set(['onTrouble', 'onError', 'onFault']);
/** Functions that cannot fail. */
const harmless = new Set([
  'destroy',
  'resume',
  'clearTimeout',
  'clearInterval',
  'abort',
  'unref',
  'kill',
  'resolve',
  'reject',
]);

/** Whether the callback has code of ours that could fail. */
function isOurs(node: AnyNode): boolean {
  if (node.type === 'Identifier') return !othersCallbacks.has(node.name);
  if (node.type === 'MemberExpression') return !('name' in node.property && othersCallbacks.has(node.property.name));
  if (node.type !== 'ArrowFunctionExpression') return true;
  const { body } = node;
  if (body.type === 'BlockStatement') return body.body.length > 0;
  if (body.type === 'Identifier' || body.type === 'Literal') return false;
  return !(body.type === 'CallExpression' && harmless.has(calledName(body)));
}

/** What a function or class around a place is called; nothing for those without a name. */
function nameOf(node: AnyNode): readonly string[] {
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return node.id ? [node.id.name] : [];
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'Property':
      return 'name' in node.key ? [node.key.name] : [];
    case 'VariableDeclarator':
      return node.id.type === 'Identifier' ? [node.id.name] : [];
    default:
      return [];
  }
}
