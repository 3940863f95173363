// The channels and their providers: how they are now, and half an hour for each bar of the last day.

import { useQueryClient } from '@tanstack/react-query';
import { type ChannelReport, type ProviderReport, testProvider } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { IconMail, IconMessage, IconPhone, IconWebhook } from '../../components/icons.tsx';
import { SystemMark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useRights } from '../../data/rights.ts';
import { reasonOf } from '../../data/server.ts';
import { isSpoken } from '../../data/spoken.ts';
import { useNow } from '../../data/time/now.ts';
import { ageText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './system-page.module.css';

export function Channels({ channels }: { readonly channels: readonly ChannelReport[] }): ReactElement {
  const words = useWords();
  const rows = channels.flatMap(({ channel, providers }) => providers.map((provider) => ({ channel, provider })));
  return (
    <section className={styles.card} aria-label={words.system.channels}>
      <header className={styles.cardHead}>
        <h2>{words.system.channels}</h2>
        <span>{words.system.lastDay}</span>
      </header>
      {rows.length === 0 ? <p className={styles.empty}>{words.system.noProviders}</p> : <Heads />}
      <ul>
        {rows.map(({ channel, provider }) => (
          <Provider key={`${channel}-${provider.id}`} channel={channel} provider={provider} />
        ))}
      </ul>
    </section>
  );
}

function Heads(): ReactElement {
  const { heads } = useWords().system;
  return (
    <p className={`${styles.provider} ${styles.heads}`} aria-hidden="true">
      <span />
      <span>{heads.channel}</span>
      <span>{heads.provider}</span>
      <span>{heads.now}</span>
      <span className={styles.quiet}>{heads.selfTest}</span>
      <span className={styles.quiet}>{heads.lastHour}</span>
    </p>
  );
}

function ChannelIcon({ channel }: { readonly channel: string }): ReactElement {
  const Icon = isSpoken(channel)
    ? IconPhone
    : channel === 'email'
      ? IconMail
      : channel === 'webhook'
        ? IconWebhook
        : IconMessage;
  return <Icon size={17} />;
}

type ProviderProps = { readonly channel: string; readonly provider: ProviderReport };

function Provider({ channel, provider }: ProviderProps): ReactElement {
  const { system: words, timeline } = useWords();
  const { blockedBy } = useRights();
  const { state, reason, name, selfTest, lastHour, halfHours } = provider;
  const now = useNow();
  const queries = useQueryClient();
  const [result, setResult] = useState<string>();
  const test = async (): Promise<void> => {
    setResult(words.testing);
    const answer = await testProvider(provider.id).catch((error) => ({ ok: false, reason: reasonOf(error) }));
    setResult(answer.ok ? words.works : (answer.reason ?? ''));
    await queries.invalidateQueries({ queryKey: ['system'] });
  };
  const attempts = Object.values(lastHour).reduce((sum, count) => sum + count, 0);
  return (
    <li className={styles.provider} data-bad={state === 'down' ? '' : undefined}>
      <span className={styles.quiet}>
        <ChannelIcon channel={channel} />
      </span>
      <b>{timeline.channel(channel)}</b>
      <span>{plainText(name)}</span>
      <span className={styles.now}>
        {state === 'down' ? <SystemMark size={13} /> : null}
        {result ?? (state === 'down' ? plainText(reason) : words.state[state])}
      </span>
      <span className={styles.quiet}>
        {selfTest === undefined ? '' : words.selfTest(ageText(now - Date.parse(selfTest.time)))}
      </span>
      <span className={styles.quiet}>{words.lastHour(attempts, lastHour.answered ?? 0)}</span>
      <svg className={styles.halfHours} width="240" height="18" aria-hidden="true">
        {halfHours.map((half, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
          <rect key={index} x={index * 5} width="3.6" height="18" rx="1" data-state={half} />
        ))}
      </svg>
      <Button blocked={blockedBy('admin')} onClick={() => void test()}>
        {words.testNow}
      </Button>
    </li>
  );
}
