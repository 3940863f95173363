// The buttons of an alarm: acknowledge, mask, comment, call relief, and what is rarely done.

import { useQueryClient } from '@tanstack/react-query';
import { commentAlarm, escalateAlarm, type FullAlarm, unmaskAlarm } from '@tocsin/client';
import { type FormEvent, type ReactElement, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { isForScreen, sendByKey } from '../../../components/keys.ts';
import type { AlarmView } from '../../../data/alarm-views.tsx';
import { useNames } from '../../../data/names.ts';
import { useRights } from '../../../data/rights.ts';
import { reasonOf } from '../../../data/server.ts';
import { useLinkHealth } from '../../../data/use-live.ts';
import { useWords } from '../../../words/use-words.ts';
import { useAcknowledge } from '../use-alarm-commands.ts';
import styles from './panel-actions.module.css';
import { PanelMore } from './panel-more.tsx';

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
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'c' || isSelecting || !isForScreen(event)) return;
      event.preventDefault();
      setCommenting(true);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [isSelecting]);
  const { take, isTaken, stopped } = useTake(alarm, live, acknowledge.run);
  const { isStale } = useLinkHealth();
  const isAcknowledged = (alarm.state & 2) === 0;
  const refusal = isAcknowledged ? trouble : (acknowledge.refused[0]?.reason ?? trouble);
  return (
    <div className={styles.actions}>
      <div className={styles.buttons}>
        <Button
          kind="ink"
          keyCap="A"
          blocked={isAcknowledged ? words.mark.state(alarm.state, false) : blockedBy('alarms:ack')}
          onClick={() => void take()}
        >
          <span className={styles.short}>{words.actions.acknowledge}</span>
          <span className={styles.long}>{words.actions.acknowledgeTake}</span>
        </Button>
        <MaskButtons alarm={alarm} onMask={onMask} run={run} />
        <Button keyCap="C" blocked={blockedBy('alarms:ack')} onClick={() => setCommenting(true)}>
          {words.actions.comment}
        </Button>
        {(live?.openCalls.length ?? 0) > 0 ? (
          <Button
            kind="quiet"
            blocked={blockedBy('alarms:ack')}
            onClick={() => void run(() => escalateAlarm(alarm.id))}
          >
            {words.actions.escalate}
          </Button>
        ) : null}
        {alarm.state === 1 && alarm.ackUser !== '' ? <Taken alarm={alarm} /> : null}
        <div className={styles.more}>
          <PanelMore alarm={alarm} run={run} />
        </div>
      </div>
      {isCommenting ? <CommentField alarm={alarm} onDone={() => setCommenting(false)} /> : null}
      <p className={styles.taken} role="status">
        {isTaken && isAcknowledged ? (stopped === undefined ? words.panel.takenAlone : words.panel.taken(stopped)) : ''}
      </p>
      {isStale && !isAcknowledged ? <p className={styles.refusal}>{words.stale.callInstead}</p> : null}
      <p className={styles.refusal} role="alert">
        {refusal}
      </p>
    </div>
  );
}

const vibrateMs = 80;

/** Takes the alarm, and keeps whose phones were ringing for it: their calls end with it. */
function useTake(alarm: FullAlarm, live: AlarmView | undefined, run: ReturnType<typeof useAcknowledge>['run']) {
  const { byId } = useNames();
  const [taken, setTaken] = useState<{ readonly stopped: string | undefined }>();
  const take = async (): Promise<void> => {
    const calls = live?.openCalls ?? [];
    const ringing = calls.flatMap(({ people }) => people.filter(({ step }) => step === 'calling'));
    const refused = await run([alarm.id]);
    if (refused === undefined || refused.length > 0) return;
    const names = [...new Set(ringing.map(({ userId }) => byId(userId)))];
    setTaken({ stopped: calls.length === 0 ? undefined : names.join(', ') });
    navigator.vibrate?.(vibrateMs);
  };
  return { take, isTaken: taken !== undefined, stopped: taken?.stopped };
}

type MaskProps = { readonly alarm: FullAlarm; readonly onMask: () => void; readonly run: Run };

function MaskButtons({ alarm, onMask, run }: MaskProps): ReactElement {
  const words = useWords().actions;
  const blocked = useRights().blockedBy('alarms:mask');
  return (
    <>
      <Button keyCap="S" blocked={blocked} onClick={onMask}>
        {alarm.masked ? words.maskLonger : words.mask}
      </Button>
      {alarm.masked ? (
        <Button blocked={blocked} onClick={() => void run(() => unmaskAlarm(alarm.id))}>
          {words.unmask}
        </Button>
      ) : null}
    </>
  );
}

function Taken({ alarm }: { readonly alarm: FullAlarm }): ReactElement {
  const { byName } = useNames();
  return <span className={styles.taken}>✓ {byName(alarm.ackUser)}</span>;
}

/** Runs an action on the alarm, and shows why it was refused. */
export type Run = (action: () => Promise<unknown>) => Promise<void>;

/** Runs an action and keeps the reason of its refusal; another person's change is told by the reloaded alarm. */
function useAction(id: number) {
  const queries = useQueryClient();
  const [trouble, setTrouble] = useState('');
  const run: Run = async (action) => {
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
        onKeyDown={sendByKey}
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
