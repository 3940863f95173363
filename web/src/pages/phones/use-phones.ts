// The simulated phones to show, those that ring first; read again with every event of a phone.

import { listPhones } from '@tocsin/client';
import { useEffect } from 'react';
import { type PhoneState, phoneAtRest, phoneStateOf } from '../../components/phone/phone-state.ts';
import { useUsers } from '../../data/directory.ts';
import { refetchEvery } from '../../data/lists/query-failures.ts';
import { both, type Read } from '../../data/lists/read.ts';
import { useReadAgain } from '../../data/lists/use-read.ts';
import { useOnCallNow } from '../../data/on-call.ts';
import { useIdentity } from '../../data/rights.ts';
import { useLiveAlarms } from '../../data/use-live.ts';
import type { PhonesSearch } from './phones-search.ts';

const order = { ringing: 0, inCall: 1, text: 2, rest: 3 } as const;

export function usePhones({ show }: PhonesSearch): Read<readonly PhoneState[]> {
  const live = useLiveAlarms();
  const { read, again } = useReadAgain({
    queryKey: ['phones'],
    queryFn: () => listPhones(),
    refetchInterval: refetchEvery(10_000),
  });
  useEffect(() => live.onPhone(again), [live, again]);
  const quiet = useQuietOwners(show === 'everybody');
  // Before those that were used are read, none is known to be at rest.
  return both(read, quiet).map(([phones, atRest]) => {
    const used = phones.map(phoneStateOf);
    const usedIds = new Set(used.map(({ userId }) => userId));
    const all = [...used, ...atRest.filter(({ userId }) => !usedIds.has(userId))];
    return all.toSorted((a, b) => order[a.kind] - order[b.kind] || a.userId - b.userId);
  });
}

/** Phones that may have had no call: of those on duty now, or of everybody. Without `admin` one sees only one's own. */
function useQuietOwners(isEverybody: boolean): Read<readonly PhoneState[]> {
  const known = both(both(useUsers(), useOnCallNow()), useIdentity());
  return known.map(([[users, { items }], { scopes, userId }]) => {
    const onDuty = new Set(items.flatMap(({ members }) => members.map((member) => member.userId)));
    const isAdministrator = scopes.includes('admin');
    return [...users.values()]
      .filter(({ id }) => isEverybody || onDuty.has(id))
      .filter(({ id }) => isAdministrator || id === userId)
      .map(({ id, name }) => phoneAtRest(id, name));
  });
}
