// A call under way: for what, whom, and what happens to each person now.

import { acknowledgeAlarm, cancelCall, escalateAlarm, type OpenCall, type PersonInCall } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useUsers } from '../../data/directory.ts';
import { useNames } from '../../data/names.ts';
import { useNow } from '../../data/now.ts';
import { useRights } from '../../data/rights.ts';
import { reasonOf } from '../../data/server.ts';
import { ageText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './call-card.module.css';

export function CallCard({ call }: { readonly call: OpenCall }): ReactElement {
  const words = useWords();
  const cause = call.causes[0];
  const more = call.causeCount - 1;
  const system = call.name === 'last resort';
  return (
    <section className={styles.card} aria-label={cause?.text ?? call.name}>
      <header className={styles.head}>
        <Mark priority={cause?.priority ?? 4} state={3} masked={false} system={system} size={25} />
        <div className={styles.title}>
          <h2 className="isolate">{plainText(cause?.text ?? call.name)}</h2>
          <p>
            {call.name} · {words.calls.round(call.round)}
            {more > 0 ? ` · ${words.calls.more(more)}` : ''}
          </p>
        </div>
      </header>
      <ul className={styles.people}>
        {call.people.map((person) => (
          <Person key={`${person.userId}-${person.notice}-${person.relief}`} person={person} />
        ))}
        {call.people.length === 0 ? <li className={styles.nobody}>{plainText(call.reason)}</li> : null}
      </ul>
      <CallActions call={call} />
    </section>
  );
}

function Person({ person }: { readonly person: PersonInCall }): ReactElement {
  const words = useWords().calls;
  const { byId } = useNames();
  const now = useNow();
  const { userId, step, channel, attempt, nextTime, relief } = person;
  const name = byId(userId);
  const isBad = step === 'channelDown' || step === 'failed';
  const facts = [words.step[step], channel, attempt === undefined ? undefined : words.tryOf(attempt)];
  return (
    <li className={styles.person} data-bad={isBad ? '' : undefined}>
      <span className={styles.avatar}>{name.slice(0, 1).toUpperCase()}</span>
      <b>{name}</b>
      <span className={styles.step}>
        {relief ? `${words.relief}, ` : ''}
        {facts.filter((fact) => fact !== undefined).join(', ')}
      </span>
      <span className={`${styles.next} figures`}>
        {nextTime === undefined ? '' : ageText(Date.parse(nextTime) - now)}
      </span>
    </li>
  );
}

function CallActions({ call }: { readonly call: OpenCall }): ReactElement {
  const words = useWords();
  const { blockedBy } = useRights();
  const [trouble, setTrouble] = useState('');
  const alarmId = call.causes.find((cause) => cause.alarmId !== undefined)?.alarmId;
  const run = (action: () => Promise<unknown>): void => {
    setTrouble('');
    void action().catch((error) => setTrouble(reasonOf(error)));
  };
  return (
    <footer className={styles.actions}>
      {alarmId === undefined ? (
        <Button blocked={blockedBy('calls:control')} onClick={() => run(() => cancelCall(call.id))}>
          {words.actions.cancel}
        </Button>
      ) : (
        <>
          <AcknowledgeFor alarmId={alarmId} run={run} />
          <Button blocked={blockedBy('alarms:ack')} onClick={() => run(() => escalateAlarm(alarmId))}>
            {words.actions.escalate}
          </Button>
        </>
      )}
      <p className={styles.trouble} role="alert">
        {trouble}
      </p>
    </footer>
  );
}

type AcknowledgeForProps = { readonly alarmId: number; readonly run: (action: () => Promise<unknown>) => void };

/** Acknowledges on behalf of somebody who said so in another way; the choice of the person is the confirmation. */
function AcknowledgeFor({ alarmId, run }: AcknowledgeForProps): ReactElement {
  const words = useWords().calls;
  const users = useUsers().data;
  const { blockedBy } = useRights();
  const blocked = blockedBy('calls:control');
  return (
    <label className={styles.choice} title={blocked}>
      {words.acknowledgeFor}
      <select
        aria-label={words.acknowledgeFor}
        disabled={blocked !== undefined}
        value=""
        onChange={(event) => run(() => acknowledgeAlarm(alarmId, { onBehalfOf: Number(event.target.value) }))}
      >
        <option value="" />
        {[...(users?.values() ?? [])].map(({ id, name, firstName }) => (
          <option key={id} value={id}>
            {firstName || name}
          </option>
        ))}
      </select>
    </label>
  );
}
