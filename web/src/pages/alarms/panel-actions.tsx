// The buttons of an alarm: acknowledge, mask, comment, call relief, reset.

import { useQueryClient } from '@tanstack/react-query';
import { commentAlarm, escalateAlarm, type FullAlarm, resetAlarm, unmaskAlarm } from '@tocsin/client';
import { type FormEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { isForScreen } from '../../app/keys.ts';
import { Button } from '../../components/button.tsx';
import type { AlarmView } from '../../data/alarm-views.tsx';
import { useNames } from '../../data/names.ts';
import { useRights } from '../../data/rights.ts';
import { reasonOf } from '../../data/server.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './panel-actions.module.css';
import { useAcknowledge } from './use-acknowledge.ts';

type ActionsProps = {
  readonly alarm: FullAlarm;
  readonly live: AlarmView | undefined;
  readonly isSelecting: boolean;
  readonly onMask: () => void;
};

export function PanelActions({ alarm, live, isSelecting, onMask }: ActionsProps): ReactElement {
  const words = useWords();
  const { blockedBy } = useRights();
  const acknowledge = useAcknowledge();
  const [isCommenting, setCommenting] = useState(false);
  const { run, trouble } = useAction(alarm.id);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'c' || isSelecting || !isForScreen(event)) return;
      event.preventDefault();
      setCommenting(true);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isSelecting]);
  const isAcknowledged = (alarm.state & 2) === 0;
  const refusal = isAcknowledged ? trouble : (acknowledge.refused[0]?.reason ?? trouble);
  return (
    <div className={styles.actions}>
      <div className={styles.buttons}>
        <Button
          kind="ink"
          keyCap="A"
          blocked={isAcknowledged ? words.mark.state(alarm.state, false) : blockedBy('alarms:ack')}
          onClick={() => void acknowledge.run([alarm.id])}
        >
          <span className={styles.short}>{words.actions.acknowledge}</span>
          <span className={styles.long}>{words.actions.acknowledgeTake}</span>
        </Button>
        {alarm.masked ? (
          <Button blocked={blockedBy('alarms:mask')} onClick={() => void run(() => unmaskAlarm(alarm.id))}>
            {words.actions.unmask}
          </Button>
        ) : (
          <Button keyCap="S" blocked={blockedBy('alarms:mask')} onClick={onMask}>
            {words.actions.mask}
          </Button>
        )}
        <Button keyCap="C" blocked={blockedBy('alarms:ack')} onClick={() => setCommenting(true)}>
          {words.actions.comment}
        </Button>
        {(live?.openCalls.length ?? 0) > 0 ? (
          <Button
            kind="quiet"
            blocked={blockedBy('calls:control')}
            onClick={() => void run(() => escalateAlarm(alarm.id))}
          >
            {words.actions.escalate}
          </Button>
        ) : null}
        {alarm.state === 1 && alarm.ackUser !== '' ? <Taken alarm={alarm} /> : null}
        {(alarm.state & 1) !== 0 && alarm.isaState !== 'UNACK' ? (
          <Button kind="quiet" blocked={blockedBy('alarms:ack')} onClick={() => void run(() => resetAlarm(alarm.id))}>
            {words.actions.reset}
          </Button>
        ) : null}
      </div>
      {isCommenting ? <CommentField alarm={alarm} onDone={() => setCommenting(false)} /> : null}
      <p className={styles.refusal} role="alert">
        {refusal}
      </p>
    </div>
  );
}

function Taken({ alarm }: { readonly alarm: FullAlarm }): ReactElement {
  const { byName } = useNames();
  return <span className={styles.taken}>✓ {byName(alarm.ackUser)}</span>;
}

/** Runs an action and keeps the reason of its refusal; another person's change is told by the reloaded alarm. */
function useAction(id: number) {
  const queries = useQueryClient();
  const [trouble, setTrouble] = useState('');
  const run = async (action: () => Promise<unknown>): Promise<void> => {
    setTrouble('');
    await action().catch((error) => setTrouble(reasonOf(error)));
    await queries.invalidateQueries({ queryKey: ['alarm', id] });
  };
  return { run, trouble };
}

function CommentField({ alarm, onDone }: { readonly alarm: FullAlarm; readonly onDone: () => void }): ReactElement {
  const words = useWords();
  const queries = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  const [trouble, setTrouble] = useState('');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    try {
      await commentAlarm(alarm.id, { comment: field.current?.value ?? '' });
      await queries.invalidateQueries({ queryKey: ['alarm', alarm.id] });
      await queries.invalidateQueries({ queryKey: ['timeline', alarm.id] });
      onDone();
    } catch (error) {
      setTrouble(reasonOf(error));
    }
  };
  return (
    <form className={styles.comment} onSubmit={(event) => void submit(event)}>
      <textarea
        ref={field}
        rows={2}
        aria-label={words.panel.writeComment}
        placeholder={words.panel.writeComment}
        required
        // biome-ignore lint/a11y/noAutofocus: the field was opened to write in it
        autoFocus
      />
      <Button onClick={onDone}>{words.actions.cancel}</Button>
      <Button type="submit" kind="ink">
        {words.actions.comment}
      </Button>
      <p className={styles.refusal} role="alert">
        {trouble}
      </p>
    </form>
  );
}
