// Writes a comment on several alarms, or acknowledges alarms with a comment; what is refused is said.

import { commentAlarm } from '@tocsin/client';
import { type FormEvent, type ReactElement, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { sendByKey } from '../../../components/keys.ts';
import type { AlarmView } from '../../../data/alarm-views.tsx';
import type { Refused } from '../../../data/refusals.ts';
import { useRights } from '../../../data/rights.ts';
import { reasonOf } from '../../../data/server.ts';
import { useWords } from '../../../words/use-words.ts';
import styles from '../panel/panel-actions.module.css';
import { MeantAlarms } from './meant-alarms.tsx';

type CommentDialogProps = {
  readonly alarms: readonly AlarmView[];
  /** Leaves out those that are not meant any more when it is sent. */
  readonly narrow: (ids: readonly number[]) => readonly number[];
  /** Acknowledges with the comment; undefined: the alarms only get the comment. */
  readonly acknowledge?: (ids: readonly number[], comment: string) => Promise<readonly Refused[] | undefined>;
  readonly isCommentOptional?: boolean;
  readonly onClose: () => void;
};

export function CommentDialog({
  alarms,
  narrow,
  acknowledge,
  isCommentOptional = false,
  onClose,
}: CommentDialogProps): ReactElement {
  const words = useWords();
  const { blockedBy } = useRights();
  const [text, setText] = useState('');
  const [left, setLeft] = useState<readonly Refused[]>();
  const [isBusy, setBusy] = useState(false);
  const ids = left?.map(({ id }) => id) ?? alarms.map(({ id }) => id);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const refused = (await (acknowledge ?? commentAll)(narrow(ids), text.trim())) ?? [];
    setBusy(false);
    setLeft(refused);
    if (refused.length === 0) onClose();
  };
  const name = acknowledge === undefined ? words.actions.commentSome : words.actions.acknowledgeSome;
  const blocked =
    blockedBy('alarms:ack') ?? (text.trim() === '' && !isCommentOptional ? words.panel.writeComment : undefined);
  return (
    <Dialog title={name(ids.length)} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <MeantAlarms alarms={alarms} refused={new Map(left?.map(({ id, reason }) => [id, reason]))} />
        <div className={styles.comment}>
          <textarea
            data-first={isCommentOptional ? undefined : ''}
            rows={3}
            value={text}
            aria-label={words.panel.writeComment}
            placeholder={words.panel.writeComment}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={sendByKey}
          />
          <Button keyCap="Esc" onClick={onClose}>
            {words.actions.cancel}
          </Button>
          <Button type="submit" kind="ink" blocked={isBusy ? '' : blocked}>
            {name(ids.length)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

async function commentAll(ids: readonly number[], comment: string): Promise<readonly Refused[]> {
  const results = await Promise.allSettled(ids.map((id) => commentAlarm(id, { comment })));
  return results.flatMap((result, index) =>
    result.status === 'fulfilled' ? [] : [{ id: ids[index] ?? 0, reason: reasonOf(result.reason) }],
  );
}
