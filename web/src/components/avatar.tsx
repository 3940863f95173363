// The first letter of a name in a circle, beside the name itself.

import type { ReactElement } from 'react';
import styles from './avatar.module.css';

export function Avatar({ name }: { readonly name: string }): ReactElement {
  return (
    <span className={styles.avatar} aria-hidden="true">
      {name.slice(0, 1).toUpperCase()}
    </span>
  );
}
