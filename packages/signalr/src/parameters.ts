// The declared parameters of hub methods, and whether the arguments of a call fit them.

import { type HubCall, HubException, type Parameter } from './hub.ts';

/** A method or stream of a hub; without `parameters` it takes any arguments. */
export type Callable<Result> = {
  readonly parameters?: readonly Parameter[];
  run(call: HubCall, ...args: unknown[]): Result;
};

type Written<Result> = ((call: HubCall, ...args: unknown[]) => Result) | Callable<Result>;

/** Returns the methods by their names in lower case, all in the same form. */
export function callables<Result>(
  methods: Readonly<Record<string, Written<Result>>> = {},
): ReadonlyMap<string, Callable<Result>> {
  const entries = Object.entries(methods).map(
    ([name, method]) => [name.toLowerCase(), typeof method === 'function' ? { run: method } : method] as const,
  );
  return new Map(entries);
}

/** The arguments of a call do not fit. Named as in ASP.NET, whose name for it reaches clients with detailed errors. */
export class InvalidArguments extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'InvalidDataException';
  }
}

/** Returns whether the number of arguments fits. */
export function takesAsMany(parameters: readonly Parameter[] | undefined, args: readonly unknown[]): boolean {
  return parameters === undefined || args.length === valuesOf(parameters).length;
}

/** Throws an `InvalidArguments` when the number or the kinds of the arguments do not fit. */
export function checkArguments(parameters: readonly Parameter[] | undefined, args: readonly unknown[]): void {
  if (parameters === undefined) return;
  const expected = valuesOf(parameters);
  if (!takesAsMany(parameters, args)) {
    throw new InvalidArguments(`Invocation provides ${args.length} argument(s) but target expects ${expected.length}.`);
  }
  if (expected.every((parameter, index) => fits(parameter, args[index]))) return;
  throw new InvalidArguments(
    'Error binding arguments. Make sure that the types of the provided values match the types of the hub method ' +
      'being invoked.',
  );
}

/** Throws a `HubException` when the number of uploads does not fit. */
export function checkUploads(parameters: readonly Parameter[] | undefined, uploads: number): void {
  const expected = parameters?.filter((parameter) => parameter === 'stream').length ?? uploads;
  if (uploads !== expected) {
    throw new HubException(`Client sent ${uploads} stream(s), Hub method expects ${expected}.`);
  }
}

function valuesOf(parameters: readonly Parameter[]) {
  return parameters.filter((parameter) => parameter !== 'stream');
}

function fits(parameter: Exclude<Parameter, 'stream'>, value: unknown): boolean {
  if (typeof parameter === 'function') return parameter(value);
  switch (parameter) {
    case 'any':
      return true;
    case 'list':
      return Array.isArray(value);
    case 'bytes':
      return value instanceof Uint8Array;
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
    default:
      return typeof value === parameter;
  }
}
