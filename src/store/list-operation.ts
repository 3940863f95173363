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

export type ListOperation<C, O> = Operation<readonly C[], readonly ListResult<O>[]>;

/**
 * Three lists of 100 make one commit. On PostgreSQL every set costs a dozen statements: sets of 100 stored 20 % less.
 * With much larger sets the objects in use are promoted to the old generation of the heap.
 */
const maxSetSize = 300;

export function listOperation<C, O>(name: string, operation: SetOperation<C, O>): ListOperation<C, O> {
  const runLists: SetOperation<readonly C[], readonly ListResult<O>[]>['runAll'] = async (tx, jobs) => {
    const single = jobs.flatMap(({ now, command: list }) => list.map((command) => ({ now, command })));
    const results: JobResult<O>[] = [];
    while (results.length < single.length)
      results.push(...(await operation.runAll(tx, single.slice(results.length, results.length + maxSetSize))));
    let from = 0;
    return jobs.map(({ command: { length } }) => {
      const outcome = results.slice(from, from + length).map(listResult);
      from += length;
      return { kind: 'done', outcome };
    });
  };
  return setOperation(name, runLists, operation.codec && listCodec(operation.codec));
}

function listCodec<C>({ pack, unpack }: ThreadCodec<C>): ThreadCodec<readonly C[]> {
  return { pack: (list) => list.map(pack), unpack: (packed: readonly never[]) => packed.map(unpack) };
}

function listResult<O>(result: JobResult<O>): ListResult<O> {
  if (result.kind === 'done') return result;
  if (!(result.error instanceof AppError)) throw result.error;
  const { code, message: sentence, errors } = result.error;
  return { kind: 'refused', code, sentence, errors };
}
