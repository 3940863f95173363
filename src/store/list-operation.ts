// Turns an operation on single inputs into one on lists: the list is sent to the store once, and each input has its
// result.

import { AppError, type ErrorCode, type FieldError } from '../errors.ts';
import { type JobResult, type Operation, type SetOperation, setOperation, type ThreadCodec } from './store.ts';

/** The result of one input; a refusal is plain data, because it is sent between threads. */
export type ListResult<O> =
  | { readonly kind: 'done'; readonly outcome: O }
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      readonly sentence: string;
      readonly errors: readonly FieldError[];
    };

export type ListOperation<I, O> = Operation<readonly I[], readonly ListResult<O>[]>;

/**
 * Three lists of 100 make one commit. On PostgreSQL every set costs a dozen statements: sets of 100 stored 20 % less.
 * With much larger sets the objects in use are promoted to the old generation of the heap.
 */
const maxSetSize = 300;

export function listOperation<I, O>(name: string, operation: SetOperation<I, O>): ListOperation<I, O> {
  const runLists: SetOperation<readonly I[], readonly ListResult<O>[]>['runAll'] = async (tx, jobs) => {
    const single = jobs.flatMap(({ now, input: list }) => list.map((input) => ({ now, input })));
    const results: JobResult<O>[] = [];
    while (results.length < single.length)
      results.push(...(await operation.runAll(tx, single.slice(results.length, results.length + maxSetSize))));
    let from = 0;
    return jobs.map(({ input: { length } }) => {
      const outcome = results.slice(from, from + length).map(listResult);
      from += length;
      return { kind: 'done', outcome };
    });
  };
  return setOperation(name, runLists, operation.codec && listCodec(operation.codec));
}

function listCodec<I>({ pack, unpack }: ThreadCodec<I>): ThreadCodec<readonly I[]> {
  return { pack: (list) => list.map(pack), unpack: (packed: readonly never[]) => packed.map(unpack) };
}

export function listResult<O>(result: JobResult<O>): ListResult<O> {
  if (result.kind === 'done') return result;
  if (!(result.error instanceof AppError)) throw result.error;
  const { code, message: sentence, errors } = result.error;
  return { kind: 'refused', code, sentence, errors };
}
