// The first start: a demo plant that rings a phone within a minute, and how to begin with one's own plant.

import type { ReactElement } from 'react';
import { Button } from '../../components/button.tsx';
import { useHasRight } from '../../data/rights.ts';
import { useWords } from '../../words/use-words.ts';
import { AnaPhone } from './ana-phone.tsx';
import styles from './first-start-page.module.css';
import { OwnPlant } from './own-plant.tsx';
import { Steps } from './steps.tsx';
import { useWalk, type Walk } from './use-walk.ts';

type FirstStartProps = {
  readonly onBegin: () => void;
  readonly onKept: () => void;
  readonly onRemoved: () => void;
};

export function FirstStartPage({ onBegin, onKept, onRemoved }: FirstStartProps): ReactElement {
  const words = useWords().firstStart;
  const walk = useWalk(onBegin, onRemoved);
  const isAdmin = useHasRight('admin');
  const intro = walk.hasPhones ? words.intro : words.introWithoutPhones;
  return (
    <div className={styles.page} data-phone={isAdmin && walk.hasPhones ? '' : undefined}>
      <div className={styles.words}>
        <h1 className={styles.title}>{isAdmin ? words.title : words.ownTitle}</h1>
        <p className={styles.intro}>{isAdmin ? intro : words.ownIntro}</p>
        {isAdmin ? <Steps walk={walk} /> : null}
        {walk.isOver ? <Outcome walk={walk} onKept={onKept} /> : null}
        <OwnPlant mayMakeKeys={isAdmin} />
      </div>
      {isAdmin && walk.hasPhones ? <AnaPhone userId={walk.demo?.userId} /> : null}
    </div>
  );
}

function Outcome({ walk, onKept }: { readonly walk: Walk; readonly onKept: () => void }): ReactElement {
  const words = useWords().firstStart;
  const isRemoving = walk.doing === 'removing';
  return (
    <section className={styles.outcome} aria-live="polite">
      {walk.tookMs === undefined ? null : <p>{words.took(Math.round(walk.tookMs / 1000))}</p>}
      <Button kind="ink" onClick={onKept} autoFocus>
        {words.keep}
      </Button>
      <Button onClick={walk.remove} blocked={isRemoving ? words.removing : undefined}>
        {isRemoving ? words.removing : words.remove}
      </Button>
    </section>
  );
}
