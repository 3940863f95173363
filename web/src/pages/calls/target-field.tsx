// One field for people and groups: what is typed finds them, Enter takes the first, and each can be taken out again.

import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { IconUsersGroup, IconX } from '../../components/icons.tsx';
import { ListNote } from '../../components/list-note.tsx';
import { useCallGroups, useUsers } from '../../data/directory.ts';
import { both } from '../../data/lists/read.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './target-field.module.css';
import type { Target } from './would-reach.ts';

type TargetFieldProps = {
  readonly targets: readonly Target[];
  readonly setTargets: (targets: readonly Target[]) => void;
};

const mostMatches = 6;

/** With what is known of those who can be called. */
function useMatches(text: string, targets: readonly Target[]) {
  const groups = useCallGroups();
  const users = useUsers();
  const all: readonly (Target & { readonly words: string })[] = [
    ...groups
      .choices((known) => known.values())
      .map(({ id, name }) => ({ kind: 'group' as const, id, name, words: name })),
    ...users
      .choices((known) => known.values())
      .map(({ id, name, firstName, lastName }) => ({
        kind: 'user' as const,
        id,
        name: `${firstName} ${lastName}`.trim() || name,
        words: `${firstName} ${lastName} ${name}`,
      })),
  ];
  const isChosen = ({ kind, id }: Target): boolean => targets.some((one) => one.kind === kind && one.id === id);
  const sought = text.trim().toLowerCase();
  const matches = all.filter((one) => !isChosen(one) && one.words.toLowerCase().includes(sought));
  return { matches: matches.slice(0, mostMatches), state: both(groups, users).state };
}

export function TargetField({ targets, setTargets }: TargetFieldProps): ReactElement {
  const words = useWords().calls;
  const [text, setText] = useState('');
  const { matches, state } = useMatches(text, targets);
  const add = ({ kind, id, name }: Target): void => {
    setTargets([...targets, { kind, id, name }]);
    setText('');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const [first] = matches;
    if (event.key === 'Enter' && text !== '') {
      event.preventDefault();
      if (first !== undefined) add(first);
    }
    if (event.key === 'Backspace' && text === '') setTargets(targets.slice(0, -1));
  };
  return (
    <div className={styles.field}>
      <label htmlFor="call-whom">{words.whom}</label>
      <div className={styles.box}>
        {targets.map((target) => (
          <button
            key={`${target.kind}-${target.id}`}
            type="button"
            className={styles.chosen}
            aria-label={words.takeOut(target.name)}
            onClick={() => setTargets(targets.filter((one) => one !== target))}
          >
            {target.kind === 'group' ? <IconUsersGroup size={14} /> : null} {target.name} <IconX size={12} />
          </button>
        ))}
        <input
          id="call-whom"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          placeholder={targets.length === 0 ? words.whomHint : ''}
          autoComplete="off"
          data-first=""
        />
      </div>
      <ListNote state={state} />
      <ul className={styles.matches} aria-label={words.whom}>
        {matches.map((match) => (
          <li key={`${match.kind}-${match.id}`}>
            <button type="button" onClick={() => add(match)}>
              {match.kind === 'group' ? <IconUsersGroup size={14} /> : null} {match.name}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
