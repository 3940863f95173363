// How to begin with one's own plant: a request that sends an alarm, with a key that is made for it on request.

import { createApiKey } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { IconCheck, IconCopy, IconKey, IconTerminal, IconUserPlus } from '../../components/icons.tsx';
import { basePath, reasonOf } from '../../data/server.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './own-plant.module.css';

const keyLifeMs = 86_400_000;
const body = '{"path":"Plant/Pump7","alarmMessage":"Pump 7 is hot","priority":1}';

export function OwnPlant({ mayMakeKeys }: { readonly mayMakeKeys: boolean }): ReactElement {
  const words = useWords().firstStart;
  const { token, trouble, makeKey } = useKey();
  const { isCopied, copy } = useCopy();
  const line = curlLine(token);
  return (
    <section className={styles.own} aria-label={words.begin}>
      <h2 className={styles.heading}>{mayMakeKeys ? words.own : words.begin}</h2>
      <div className={styles.cards}>
        <button type="button" className={styles.card} onClick={() => copy(line)}>
          <IconTerminal size={20} />
          <b>{words.send}</b>
          <span>{words.sendMeans}</span>
        </button>
        <a className={styles.card} href={`${basePath}/docs#tag/users`}>
          <IconUserPlus size={20} />
          <b>{words.people}</b>
          <span>{words.peopleMeans}</span>
        </a>
        <button
          type="button"
          className={styles.card}
          onClick={makeKey}
          disabled={!mayMakeKeys || token !== undefined}
          title={mayMakeKeys ? undefined : 'admin'}
        >
          <IconKey size={20} />
          <b>{words.key}</b>
          <span>{token === undefined ? words.keyMeans : words.keyMade}</span>
        </button>
      </div>
      {trouble === '' ? null : (
        <p className={styles.trouble} role="alert">
          {trouble}
        </p>
      )}
      <div className={styles.line}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard */}
        <pre tabIndex={0}>{line}</pre>
        <button type="button" onClick={() => copy(line)} aria-label={isCopied ? words.copied : words.copy}>
          {isCopied ? <IconCheck size={18} /> : <IconCopy size={18} />}
        </button>
      </div>
    </section>
  );
}

function curlLine(token = '$TOKEN'): string {
  return `curl -H "Authorization: Bearer ${token}" ${location.origin}${basePath}/api/v1/alarms \\\n     -d '${body}'`;
}

/** A key that may send alarms and nothing else, for a day. */
function useKey() {
  const [token, setToken] = useState<string>();
  const [trouble, setTrouble] = useState('');
  const makeKey = async (): Promise<void> => {
    setTrouble('');
    const now = Date.now();
    const expiryTime = new Date(now + keyLifeMs).toISOString();
    const name = `First alarm ${new Date(now).toISOString().slice(0, 19)}`;
    await createApiKey({ name, scopes: ['alarms:write'], expiryTime })
      .then((made) => setToken(made.token))
      .catch((error) => setTrouble(reasonOf(error)));
  };
  return { token, trouble, makeKey };
}

function useCopy() {
  const [isCopied, setCopied] = useState(false);
  const copy = (text: string): void =>
    // A page without TLS on another host has no clipboard; the line can be marked by hand.
    void navigator.clipboard?.writeText(text).then(() => setCopied(true));
  return { isCopied, copy };
}
