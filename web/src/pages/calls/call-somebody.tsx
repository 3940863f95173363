// Calls people and groups with a text: says before whom that would reach, and after it for whom nobody was called.

import { callGroups, callUsers } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import { DialogFoot } from '../../components/dialog-foot.tsx';
import styles from '../../components/form.module.css';
import { ListNote } from '../../components/list-note.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { useUsers } from '../../data/directory.ts';
import { both, type Read } from '../../data/lists/read.ts';
import { useNames } from '../../data/names.ts';
import { useOnCallNow, useReadiness } from '../../data/on-call.ts';
import { useRights } from '../../data/rights.ts';
import { useWords } from '../../words/use-words.ts';
import { TargetField } from './target-field.tsx';
import { type Reach, type Target, wouldReach } from './would-reach.ts';

type SomebodyProps = {
  /** The text to begin with. */
  readonly about?: string | undefined;
  readonly onClose: () => void;
};

export function CallSomebody({ about, onClose }: SomebodyProps): ReactElement {
  const words = useWords().calls;
  const { blockedBy } = useRights();
  const [targets, setTargets] = useState<readonly Target[]>([]);
  const reach = useReach(targets);
  const [news, setNews] = useState<string>();
  const { onSubmit, trouble } = useSubmit(async (form) => {
    const isEverybody = await callAll(targets, String(form.get('text')), Number(form.get('number')));
    if (isEverybody) onClose();
    else
      setNews(
        reach.name(({ missed }) => (missed.length === 0 ? undefined : words.missed(namesOf(missed))), words.notAll),
      );
  });
  const blocked = blockedBy('calls:send') ?? (targets.length === 0 ? words.chooseSomebody : undefined);
  return (
    <Dialog title={words.somebody} onClose={onClose}>
      <form className={styles.form} onSubmit={onSubmit}>
        <TargetField targets={targets} setTargets={setTargets} />
        <ReachText targets={targets} reach={reach} />
        <label className={styles.field}>
          {words.text}
          <textarea name="text" rows={3} defaultValue={about} required />
        </label>
        <label className={styles.field}>
          <span>
            {words.pagerNumber} <span className={styles.hint}>{words.pagerHint}</span>
          </span>
          <input name="number" inputMode="numeric" pattern="[0-9]*" maxLength={9} />
        </label>
        <DialogFoot action={words.somebody} {...{ onClose, trouble, news, blocked }} />
      </form>
    </Dialog>
  );
}

function namesOf(targets: readonly Target[]): string {
  return targets.map(({ name }) => name).join(', ');
}

/** Returns whether everybody who was named is called. */
async function callAll(targets: readonly Target[], msgText: string, msgNum: number): Promise<boolean> {
  const ids = (kind: Target['kind']): number[] => targets.filter((one) => one.kind === kind).map(({ id }) => id);
  const message = { msgText, ...(msgNum > 0 ? { msgNum } : {}) };
  const [userIds, callGroupIds] = [ids('user'), ids('group')];
  const areGroups = callGroupIds.length === 0 || (await callGroups({ callGroupIds, ...message }));
  const areUsers = userIds.length === 0 || (await callUsers({ userIds, ...message }));
  return areGroups && areUsers;
}

function useReach(targets: readonly Target[]): Read<Reach> {
  const known = both(both(useOnCallNow(), useReadiness()), useUsers());
  return known.map(([[duties, unready], users]) =>
    wouldReach(targets, { duties: duties.items, unready: unready.items, users }),
  );
}

function ReachText({
  targets,
  reach,
}: {
  readonly targets: readonly Target[];
  readonly reach: Read<Reach>;
}): ReactElement | null {
  const words = useWords().calls;
  const { byId } = useNames();
  if (targets.length === 0) return null;
  return (
    <div role="status">
      {reach.when({
        unread: (state) => <ListNote state={state} />,
        known: ({ userIds, missed }) => (
          <>
            {userIds.length === 0 ? null : <p>{words.wouldReach(userIds.map(byId).join(', '))}</p>}
            {missed.length === 0 ? null : <p className={styles.trouble}>{words.wouldMiss(namesOf(missed))}</p>}
          </>
        ),
      })}
    </div>
  );
}
