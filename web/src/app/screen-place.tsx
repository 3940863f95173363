// The place of a screen in the frame: a screen that throws says so there, is shown again by itself, and takes nothing else
// with it.

import { Component, type ReactElement, type ReactNode, useEffect, useEffectEvent } from 'react';
import { Button } from '../components/button.tsx';
import { SystemMark } from '../components/mark.tsx';
import { pauseAfter } from '../data/lists/list-state.ts';
import { useNow } from '../data/time/now.ts';
import { useWords } from '../words/use-words.ts';
import styles from './screen-place.module.css';

type PlaceProps = {
  /** What is shown: another address is another screen, and is shown at once. */
  readonly address: string;
  /** Makes a new try differ from the last one: what was read for the screen is forgotten. */
  readonly beforeRetry: () => void;
  readonly children: ReactNode;
};

type Fault = { readonly error: unknown; readonly retryAt: number; readonly address: string };
type PlaceState = { readonly thrown: boolean; readonly fault: Fault | undefined };

export class ScreenPlace extends Component<PlaceProps, PlaceState> {
  override state: PlaceState = { thrown: false, fault: undefined };
  #failures = 0;

  static getDerivedStateFromError(): Partial<PlaceState> {
    return { thrown: true };
  }

  override componentDidCatch(error: unknown): void {
    const { address } = this.props;
    this.#failures++;
    this.setState({ fault: { error, address, retryAt: Date.now() + pauseAfter(this.#failures) } });
  }

  override componentDidUpdate(): void {
    const { fault } = this.state;
    if (fault === undefined || fault.address === this.props.address) return;
    this.#failures = 0;
    this.#retry();
  }

  readonly #retry = (): void => {
    this.props.beforeRetry();
    this.setState({ thrown: false, fault: undefined });
  };

  override render(): ReactNode {
    const { thrown, fault } = this.state;
    if (!thrown) return this.props.children;
    return fault === undefined ? null : <FailedScreen fault={fault} retry={this.#retry} />;
  }
}

function FailedScreen({ fault, retry }: { readonly fault: Fault; readonly retry: () => void }): ReactElement {
  const { screenFailed, lists, stale } = useWords();
  const seconds = Math.ceil((fault.retryAt - useNow()) / 1000);
  useRetry(fault.retryAt, retry);
  return (
    <section className={styles.failed} role="alert">
      <h1>
        <SystemMark size={20} /> {screenFailed.title}
      </h1>
      <p>{screenFailed.means}</p>
      <p className={`${styles.reason} mono`}>{String(fault.error)}</p>
      <p className="figures">{seconds > 0 ? lists.nextTry(seconds) : lists.trying}</p>
      <Button onClick={retry}>{stale.now}</Button>
    </section>
  );
}

/** Tries again when the pause is over, and as soon as the network is back. */
function useRetry(retryAt: number, retry: () => void): void {
  const tryNow = useEffectEvent(retry);
  useEffect(() => {
    const timer = setTimeout(() => tryNow(), Math.max(0, retryAt - Date.now()));
    const onOnline = (): void => tryNow();
    addEventListener('online', onOnline);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', onOnline);
    };
  }, [retryAt]);
}
