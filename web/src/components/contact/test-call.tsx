// Makes a test call to people and says how it goes, in place.

import { callUsersAsTest, listCallHistories } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { outcomeOf } from '../../data/attempt-outcome.ts';
import { useRead } from '../../data/lists/use-read.ts';
import { useNames } from '../../data/names.ts';
import { useRights } from '../../data/rights.ts';
import { reasonOf } from '../../data/server.ts';
import { useWords } from '../../words/use-words.ts';
import { Button } from '../button.tsx';
import styles from './test-call.module.css';

type TestCallState =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly text: string }
  | { readonly kind: 'begun'; readonly at: number };

/** State of a test call to people; a component shows the button and the news where they fit. */
export function useTestCall(userIds: readonly number[]) {
  const words = useWords();
  const { byId } = useNames();
  const [state, setState] = useState<TestCallState>({ kind: 'none' });
  const names = userIds.map(byId).join(', ');
  const outcomes = useTestOutcomes(userIds, state);
  const begin = async (): Promise<void> => {
    // The clock of this machine may be ahead of the server's.
    const at = Date.now() - 60_000;
    try {
      const isEverybody = await callUsersAsTest({ userIds: [...userIds] });
      setState(isEverybody ? { kind: 'begun', at } : { kind: 'refused', text: words.contact.test.notCalled(names) });
    } catch (error) {
      setState({ kind: 'refused', text: reasonOf(error) });
    }
  };
  const news = outcomes === '' ? words.contact.test.called(names) : outcomes;
  return { begin, trouble: state.kind === 'refused' ? state.text : '', news: state.kind === 'begun' ? news : '' };
}

/** Reads every two seconds how the test goes, until each attempt has ended. */
function useTestOutcomes(userIds: readonly number[], state: TestCallState): string {
  const words = useWords().calls;
  const { byId } = useNames();
  const since = state.kind === 'begun' ? state.at : 0;
  const read = useRead({
    queryKey: ['test-call', userIds, since],
    queryFn: () => listCallHistories({ $from: new Date(since).toISOString(), sort: '-id', limit: 50 }),
    enabled: since > 0,
    refetchInterval: ({ state: { data: last } }) =>
      last?.items.some(({ endTime }) => endTime === undefined) === false && last.items.length > 0 ? false : 2_000,
  });
  const newest = read.choices(({ items }) =>
    userIds.flatMap((id) => items.find(({ userId, cause }) => userId === id && cause === 'test') ?? []),
  );
  return newest.map((attempt) => `${byId(attempt.userId)}: ${words.outcome[outcomeOf(attempt)]}`).join(' · ');
}

export function TestCallButton({ test }: { readonly test: ReturnType<typeof useTestCall> }): ReactElement {
  const words = useWords().onCall;
  const { blockedBy } = useRights();
  return (
    <Button blocked={blockedBy('calls:send')} onClick={() => void test.begin()}>
      {words.testCall}
    </Button>
  );
}

export function TestCallNews({ test }: { readonly test: ReturnType<typeof useTestCall> }): ReactElement | null {
  if (test.trouble !== '')
    return (
      <p className={styles.trouble} role="alert">
        {test.trouble}
      </p>
    );
  return test.news === '' ? null : (
    <p className={styles.news} role="status">
      {test.news}
    </p>
  );
}
