// Questions from one process to another over the channel between them, each with its answer.

import type { ChildProcess } from 'node:child_process';

type Question = { readonly id: number; readonly name: string; readonly about: unknown };
type Answer = { readonly id: number; readonly value?: unknown; readonly error?: string };

let lastId = 0;

/** Asks the other process, which has called `answerQuestions`. */
export function ask<T>(child: ChildProcess, name: string, about: unknown = undefined): Promise<T> {
  lastId += 1;
  const question: Question = { id: lastId, name, about };
  return new Promise((resolve, reject) => {
    const settle = () => {
      child.off('message', onMessage);
      child.off('exit', onExit);
    };
    const onExit = () => {
      settle();
      reject(new Error(`The process ended before it answered ${name}`));
    };
    const onMessage = ({ id, value, error }: Answer) => {
      if (id !== question.id) return;
      settle();
      if (error === undefined) resolve(value as T);
      else reject(new Error(`${name}: ${error}`));
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send(question);
  });
}

/** Each by its name; may take its time. The channel alone keeps no process alive. */
export function answerQuestions(answers: Readonly<Record<string, (about: never) => unknown>>): void {
  process.on('message', async ({ id, name, about }: Question) => {
    const send = (answer: Answer) => process.send?.(answer);
    try {
      send({ id, value: await answers[name]?.(about as never) });
    } catch (error) {
      send({ id, error: error instanceof Error ? error.message : String(error) });
    }
  });
  process.channel?.unref();
}
