// The form of the sign-in: name, password, and the wait after too many attempts.

import { signIn } from '@tocsin/client';
import { type FormEvent, type ReactElement, useEffect, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { IconEye, IconEyeOff } from '../../components/icons.tsx';
import { useSite } from '../../data/directory.ts';
import { beginSession } from '../../data/session.ts';
import { useWords } from '../../words/use-words.ts';
import { refusalOf } from './refusal.ts';
import styles from './sign-in-page.module.css';

type Refusal = { readonly text: string; readonly waitSeconds: number };

function useSignIn(isShared: boolean) {
  const [refusal, setRefusal] = useState<Refusal>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    if (refusal === undefined || refusal.waitSeconds <= 0) return undefined;
    const timer = setTimeout(() => setRefusal({ ...refusal, waitSeconds: refusal.waitSeconds - 1 }), 1000);
    return () => clearTimeout(timer);
  }, [refusal]);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const username = String(form.get('username'));
    const password = String(form.get('password'));
    setBusy(true);
    try {
      const { access_token, expires_in, name } = await signIn({ grant_type: 'password', username, password });
      beginSession({ token: access_token, name, expiresAt: Date.now() + expires_in * 1000 }, isShared);
    } catch (error) {
      setRefusal(refusalOf(error));
      setBusy(false);
    }
  };
  return { submit, refusal, isBusy };
}

/** `name` is given when a session has ended and the same person is expected. */
export function SignInForm({ name }: { readonly name?: string }): ReactElement {
  const words = useWords().signIn;
  const plant = useSite().name((site) => site.name, '');
  const [isShown, setShown] = useState(false);
  const [isShared, setShared] = useState(false);
  const { submit, refusal, isBusy } = useSignIn(isShared);
  const wait = refusal?.waitSeconds ?? 0;
  const Eye = isShown ? IconEyeOff : IconEye;
  return (
    <form className={styles.fields} onSubmit={(event) => void submit(event)}>
      {name === undefined ? (
        <>
          <h1 className={styles.title}>{words.title}</h1>
          <p className={styles.place}>{[plant, location.host].filter(Boolean).join(' · ')}</p>
        </>
      ) : null}
      <label className={styles.field}>
        <span>{words.name}</span>
        <input
          name="username"
          autoComplete="username"
          defaultValue={name}
          required
          // biome-ignore lint/a11y/noAutofocus: the page has nothing else to do first
          autoFocus={name === undefined}
        />
      </label>
      <label className={styles.field}>
        <span>{words.password}</span>
        <span className={styles.password}>
          <input
            name="password"
            type={isShown ? 'text' : 'password'}
            autoComplete="current-password"
            required
            aria-describedby="refusal"
            // biome-ignore lint/a11y/noAutofocus: with the name known, the password is what is asked for
            autoFocus={name !== undefined}
          />
          <button type="button" onClick={() => setShown(!isShown)} aria-label={isShown ? words.hide : words.show}>
            <Eye size={18} stroke={1.75} />
          </button>
        </span>
      </label>
      <p id="refusal" className={styles.refusal} role="alert">
        {refusal?.text}
      </p>
      <label className={styles.shared}>
        <input type="checkbox" checked={isShared} onChange={(event) => setShared(event.target.checked)} />
        <span>
          {words.shared} <span className={styles.means}>· {words.sharedMeans}</span>
        </span>
      </label>
      <Button type="submit" kind="ink" isWide isTall blocked={isBusy || wait > 0 ? words.title : undefined}>
        {wait > 0 ? words.wait(wait) : words.action}
      </Button>
    </form>
  );
}
