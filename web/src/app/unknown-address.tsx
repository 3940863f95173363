// What the frame shows at an address where no screen is: that it is so, and the screen that may be meant.

import { Link, useLocation } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useWords } from '../words/use-words.ts';
import { nearestPath } from './nearest-screen.ts';
import styles from './screen-place.module.css';
import { screens } from './screens.ts';

export function UnknownAddress(): ReactElement {
  const words = useWords();
  const { pathname } = useLocation();
  const nearest = nearestPath(
    pathname,
    screens.map(({ name, path }) => [path, words.screens[name]]),
  );
  const offered = screens.filter(({ path }) => path === (nearest ?? '/alarms'));
  return (
    <section className={styles.failed}>
      <h1>{words.unknownAddress.title}</h1>
      <p className="isolate">{words.unknownAddress.means(pathname)}</p>
      {offered.map(({ name, path }) => (
        <p key={path}>
          {nearest === undefined ? '' : words.unknownAddress.nearest} <Link to={path}>{words.screens[name]}</Link>
        </p>
      ))}
    </section>
  );
}
