// The three steps of the first start; they tick themselves off by what the hub tells.

import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { callingText } from '../../components/calling-text.ts';
import { IconCheck } from '../../components/icons.tsx';
import { Mark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import type { AlarmView } from '../../data/alarm-views.tsx';
import { useNames } from '../../data/names.ts';
import { useNow } from '../../data/time/now.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './steps.module.css';
import type { Walk } from './use-walk.ts';

export function Steps({ walk }: { readonly walk: Walk }): ReactElement {
  const words = useWords().firstStart;
  const { demo, alarm, isRaised, isOver, hasPhones, trouble } = walk;
  const isMade = demo !== undefined;
  return (
    <ol className={styles.steps}>
      <Step number={1} isDone={isMade} isNext={!isMade} title={words.start} means={words.startMeans} trouble={trouble}>
        <StartButton walk={walk} />
      </Step>
      <Step number={2} isDone={isRaised} isNext={isMade && !isRaised} title={words.see} means={words.seeMeans}>
        <Countdown walk={walk} />
        {alarm === undefined ? null : <AlarmLine alarm={alarm} />}
      </Step>
      <Step
        number={3}
        isDone={isOver}
        isNext={isRaised && !isOver}
        title={hasPhones ? words.answer : words.calls}
        means={hasPhones ? words.answerMeans : words.callsMeans}
      >
        {hasPhones ? (
          <Wait isDone={isOver} text={isRaised ? words.now : words.about(20)} />
        ) : (
          <Link to="/calls" className={styles.link}>
            {words.openCalls}
          </Link>
        )}
      </Step>
    </ol>
  );
}

function StartButton({ walk: { demo, doing, start } }: { readonly walk: Walk }): ReactElement {
  const words = useWords().firstStart;
  if (demo !== undefined) return <Wait isDone text="" />;
  const isMaking = doing === 'making';
  return (
    <span className={styles.wait}>
      <Button kind="ink" isTall autoFocus onClick={start} {...(isMaking ? { blocked: words.making } : { keyCap: '↵' })}>
        {isMaking ? words.making : words.start}
      </Button>
    </span>
  );
}

/** Counts down to the first alarm once its time is known. */
function Countdown({ walk: { demo, isRaised } }: { readonly walk: Walk }): ReactElement {
  const words = useWords().firstStart;
  const now = useNow();
  const leftMs = demo?.raiseTime === undefined ? undefined : Date.parse(demo.raiseTime) - now;
  const seconds = leftMs === undefined ? undefined : Math.max(0, Math.ceil(leftMs / 1000));
  const text = seconds === undefined ? words.about(10) : seconds === 0 ? words.now : words.inSeconds(seconds);
  return <Wait isDone={isRaised} text={text} />;
}

type StepProps = {
  readonly number: number;
  readonly isDone: boolean;
  readonly isNext: boolean;
  readonly title: string;
  readonly means: string;
  readonly trouble?: string;
  readonly children: ReactNode;
};

function Step({ number, isDone, isNext, title, means, trouble = '', children }: StepProps): ReactElement {
  return (
    <li className={styles.step} data-next={isNext ? '' : undefined} aria-current={isNext ? 'step' : undefined}>
      <span className={styles.number}>{isDone ? <IconCheck size={18} stroke={2} /> : number}</span>
      <div className={styles.text}>
        <h2>{title}</h2>
        <p>{means}</p>
        {trouble === '' ? null : (
          <p className={styles.trouble} role="alert">
            {plainText(trouble)}
          </p>
        )}
      </div>
      {children}
    </li>
  );
}

function Wait({ isDone, text }: { readonly isDone: boolean; readonly text: string }): ReactElement {
  const words = useWords().firstStart;
  return <span className={`${styles.wait} figures`}>{isDone ? words.done : text}</span>;
}

/** The alarm as the list shows it: it is seen to be called for, and to be taken. */
function AlarmLine({ alarm }: { readonly alarm: AlarmView }): ReactElement {
  const words = useWords();
  const names = useNames();
  const now = useNow();
  const calling = callingText(alarm, words, { names, now, areCallsKnown: true });
  return (
    <p className={styles.alarm} data-state={alarm.state}>
      <Mark {...alarm} size={20} />
      <b className="isolate">{plainText(alarm.text)}</b>
      <span>{plainText(alarm.station)}</span>
      <code>{plainText(alarm.value)}</code>
      <span className={styles.calling}>
        {calling?.kind === 'taken' ? <IconCheck size={15} /> : null}
        {calling?.text}
      </span>
    </p>
  );
}
