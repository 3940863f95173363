// A list of commands as one job: it crosses to the store once and runs as one set, and each command has its own answer.

import { AppError, type ErrorCode, type FieldError } from '../errors.ts';
import { type JobResult, type Operation, type SetOperation, setOperation, type ThreadCodec } from './store.ts';

/** A refusal as plain data, for it crosses a thread. */
export type ListAnswer<O> =
  | { readonly kind: 'done'; readonly outcome: O }
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      readonly sentence: string;
      readonly errors: readonly FieldError[];
    };

export type ListOperation<C, O> = Operation<readonly C[], readonly ListAnswer<O>[]>;

/**
 * Three lists of a hundred, which is what a commit takes. To PostgreSQL every set is a dozen statements: in sets of a hundred
 * it stored a fifth less. With many more, what they are decided with outlives the young part of the heap.
 */
const mostInASet = 300;

export function listOperation<C, O>(name: string, operation: SetOperation<C, O>): ListOperation<C, O> {
  const takeLists: SetOperation<readonly C[], readonly ListAnswer<O>[]>['runAll'] = async (tx, jobs) => {
    const single = jobs.flatMap(({ now, command: list }) => list.map((command) => ({ now, command })));
    const results: JobResult<O>[] = [];
    while (results.length < single.length)
      results.push(...(await operation.runAll(tx, single.slice(results.length, results.length + mostInASet))));
    let from = 0;
    return jobs.map(({ command: { length } }) => {
      const outcome = results.slice(from, from + length).map(answerOf);
      from += length;
      return { kind: 'done', outcome };
    });
  };
  return setOperation(name, takeLists, operation.crossing && crossingOfLists(operation.crossing));
}

function crossingOfLists<C>({ pack, unpack }: ThreadCodec<C>): ThreadCodec<readonly C[]> {
  return { pack: (list) => list.map(pack), unpack: (packed: readonly never[]) => packed.map(unpack) };
}

function answerOf<O>(result: JobResult<O>): ListAnswer<O> {
  if (result.kind === 'done') return result;
  if (!(result.error instanceof AppError)) throw result.error;
  const { code, message: sentence, errors } = result.error;
  return { kind: 'refused', code, sentence, errors };
}
