// A call under way: for what, whom, what happens to each person now, and what comes next.

import { Link } from '@tanstack/react-router';
import { acknowledgeAlarm, cancelCall, escalateAlarm, type OpenCall, type PersonInCall } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { IconClock, IconMessage, IconSpeakerphone } from '../../components/icons.tsx';
import { Mark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useAlarmViews } from '../../data/alarm-views.tsx';
import { useUsers } from '../../data/directory.ts';
import { useNames } from '../../data/names.ts';
import { useRights } from '../../data/rights.ts';
import { reasonOf } from '../../data/server.ts';
import { isSpoken } from '../../data/spoken.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { minutesText, timeText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './call-card.module.css';

export function CallCard({ call }: { readonly call: OpenCall }): ReactElement {
  const words = useWords();
  const { byId } = useNames();
  const [cause] = call.causes;
  const more = call.causeCount - 1;
  const isLastResort = call.callGroupId === undefined && call.userId === undefined;
  const person = call.userId === undefined || call.userId === 0 ? call.name : byId(call.userId);
  const name = isLastResort ? words.calling.lastResort : person;
  const facts = [name, words.calls.round(call.round), more > 0 ? words.calls.more(more) : ''];
  return (
    <section className={styles.card} aria-label={cause?.text ?? name}>
      <header className={styles.head}>
        <CauseMark call={call} />
        <div className={styles.title}>
          <h2 className="isolate">
            <CauseTitle call={call} name={name} />
          </h2>
          <p>{facts.filter(Boolean).join(' · ')}</p>
        </div>
      </header>
      <ul className={styles.people}>
        {call.people.map((person) => (
          <Person key={`${person.userId}-${person.notice}-${person.channel}`} person={person} />
        ))}
        {call.people.length === 0 ? <li className={styles.nobody}>{plainText(call.reason)}</li> : null}
        <NextStep call={call} />
      </ul>
      <CallActions call={call} />
    </section>
  );
}

function CauseMark({ call: { causes } }: { readonly call: OpenCall }): ReactElement {
  const [cause] = causes;
  const alarm = useAlarmViews().find(({ id }) => id === cause?.alarmId);
  if (cause?.alarmId !== undefined) {
    const known = alarm ?? { priority: cause.priority, state: 3, masked: false, system: false };
    return <Mark {...known} size={25} />;
  }
  const CauseIcon = cause?.cause === 'test' ? IconSpeakerphone : IconMessage;
  return <CauseIcon size={22} stroke={1.75} />;
}

function CauseTitle({ call, name }: { readonly call: OpenCall; readonly name: string }): ReactElement {
  const words = useWords().calls.cause;
  const [cause] = call.causes;
  const text = plainText(cause === undefined || cause.text === '' ? (cause ? words[cause.cause] : name) : cause.text);
  if (cause?.alarmId === undefined) return <>{text}</>;
  return (
    <Link to="/alarms" search={{ id: cause.alarmId }} className={styles.link ?? ''}>
      {text}
    </Link>
  );
}

/** What keeps people from being called: the reason says since when, or until when. */
const waitingSteps: ReadonlySet<PersonInCall['step']> = new Set([
  'lineInUse',
  'noLine',
  'throttled',
  'limited',
  'channelDown',
]);

function Person({ person }: { readonly person: PersonInCall }): ReactElement {
  const words = useWords();
  const { byId } = useNames();
  const now = useNow();
  const { userId, user, step, channel, attempt, nextTime, relief, reason } = person;
  const name = userId === 0 ? user : byId(userId);
  // Without a way that was tried there is none that could be.
  const isWithoutNumber = step === 'failed' && channel === undefined;
  const isBad = step === 'channelDown' || isWithoutNumber;
  const isRinging = step === 'calling' && isSpoken(channel);
  const facts = [
    relief ? words.calls.relief : '',
    isWithoutNumber || waitingSteps.has(step)
      ? plainText(reason)
      : isRinging
        ? words.calls.rings
        : words.calls.step[step],
    channel === undefined ? '' : words.timeline.channel(channel),
    attempt === undefined ? '' : words.calls.tryOf(attempt),
  ];
  const left = nextTime === undefined ? undefined : Date.parse(nextTime) - now;
  return (
    <li className={styles.person} data-bad={isBad ? '' : undefined}>
      {isBad ? (
        <Mark priority={1} system state={3} masked={false} size={16} isPlain isDecorative />
      ) : (
        <Avatar name={name} />
      )}
      <b>{name}</b>
      <span className={styles.step}>{facts.filter(Boolean).join(', ')}</span>
      <span className={`${styles.next} figures`}>
        {left === undefined || left < 0 ? '' : words.calls.left(minutesText(left))}
      </span>
    </li>
  );
}

/** What comes next if nobody takes it, with its time: relief, the next round, or a look for somebody on duty. */
function NextStep({ call: { next } }: { readonly call: OpenCall }): ReactElement | null {
  const words = useWords().calls;
  const clock = usePlantClock();
  if (next?.time === undefined || next.step === 'attempt') return null;
  return (
    <li className={styles.person}>
      <IconClock size={16} stroke={1.75} />
      <span className={styles.nextStep}>{words.next[next.step]}</span>
      <span className={`${styles.next} figures`}>{timeText(clock, Date.parse(next.time))}</span>
    </li>
  );
}

function CallActions({ call }: { readonly call: OpenCall }): ReactElement {
  const words = useWords();
  const { blockedBy } = useRights();
  const [trouble, setTrouble] = useState('');
  const alarmId = call.causes.find((cause) => cause.alarmId !== undefined)?.alarmId;
  const isCancellable = call.causes.some(({ cause }) => cause === 'message' || cause === 'test');
  const run = (action: () => Promise<unknown>): void => {
    setTrouble('');
    void action().catch((error) => setTrouble(reasonOf(error)));
  };
  return (
    <footer className={styles.actions}>
      {alarmId === undefined ? null : (
        <>
          <AcknowledgeFor alarmId={alarmId} run={run} />
          <Button blocked={blockedBy('alarms:ack')} onClick={() => run(() => escalateAlarm(alarmId))}>
            {words.actions.escalate}
          </Button>
        </>
      )}
      {isCancellable ? (
        <Button blocked={blockedBy('calls:control')} onClick={() => run(() => cancelCall(call.id))}>
          {words.calls.cancelCall}
        </Button>
      ) : null}
      <p className={styles.trouble} role="alert">
        {trouble}
      </p>
    </footer>
  );
}

type AcknowledgeForProps = { readonly alarmId: number; readonly run: (action: () => Promise<unknown>) => void };

/** Acknowledges on behalf of somebody who said so in another way; the choice of the person is the confirmation. */
function AcknowledgeFor({ alarmId, run }: AcknowledgeForProps): ReactElement {
  const { calls: words, lists } = useWords();
  const users = useUsers();
  const { blockedBy } = useRights();
  const blocked = blockedBy('calls:control');
  return (
    <label className={styles.choice} title={blocked} data-blocked={blocked === undefined ? undefined : ''}>
      {words.acknowledgeFor}
      <select
        aria-label={words.acknowledgeFor}
        title={blocked}
        disabled={blocked !== undefined}
        value=""
        onChange={(event) => run(() => acknowledgeAlarm(alarmId, { onBehalfOf: Number(event.target.value) }))}
      >
        <option value="" />
        {users.isKnown() ? null : <option disabled>{lists.reading}</option>}
        {users
          .choices((all) => all.values())
          .map(({ id, name, firstName }) => (
            <option key={id} value={id}>
              {firstName || name}
            </option>
          ))}
      </select>
    </label>
  );
}
