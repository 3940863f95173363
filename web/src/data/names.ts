// People by first name, and "you" for who is signed in.

import { useMemo } from 'react';
import { useWords } from '../words/use-words.ts';
import { useUsers } from './directory.ts';
import { currentSession } from './session.ts';

export type Names = {
  readonly byId: (id: number | undefined) => string;
  /** Of a login name, or of an actor such as `user:3` or `key:7`. */
  readonly byName: (name: string) => string;
};

/** `saysYou`: not on a page that others read on paper. */
export function useNames({ saysYou = true } = {}): Names {
  const users = useUsers();
  const words = useWords();
  return useMemo(() => {
    const own = saysYou ? currentSession()?.name : undefined;
    const all = users.choices((known) => known.values());
    const byOwnId = new Map(all.map((user) => [user.id, user]));
    const shown = (user: { readonly name: string; readonly firstName?: string } | undefined, name: string): string => {
      if (own !== undefined && (user?.name ?? name) === own) return words.calling.you;
      return user?.firstName || user?.name || name;
    };
    const byId = (id: number | undefined): string => shown(byOwnId.get(id ?? 0), id === undefined ? '' : `#${id}`);
    return {
      byId,
      byName: (name) => {
        const actor = /^user:(\d+)$/.exec(name)?.[1];
        return actor === undefined
          ? shown(
              all.find((user) => user.name === name),
              name,
            )
          : byId(Number(actor));
      },
    };
  }, [users, words, saysYou]);
}
