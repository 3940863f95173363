// The languages and themes to choose from, before and after the sign-in.

import { type ReactElement, useState } from 'react';
import { chooseTheme, currentTheme, type Theme } from '../../app/theme.ts';
import { IconButton } from '../../components/button.tsx';
import { IconContrast, IconMoon, IconSun } from '../../components/icons.tsx';
import { languages } from '../../words/language.ts';
import { useWords } from '../../words/use-words.ts';
import { useLanguage } from '../../words/words-provider.tsx';
import styles from './choices.module.css';

const languageNames = { en: 'English', de: 'Deutsch', fr: 'Français' } as const;

export function Choices(): ReactElement {
  const { language, choose } = useLanguage();
  return (
    <div className={styles.choices}>
      <div className={styles.languages}>
        {languages.map((one) => (
          <button key={one} type="button" lang={one} aria-pressed={one === language} onClick={() => choose(one)}>
            {languageNames[one]}
          </button>
        ))}
      </div>
      <Themes />
    </div>
  );
}

function Themes(): ReactElement {
  const words = useWords().signIn;
  const [theme, setTheme] = useState(currentTheme);
  const choose = (chosen: Theme): void => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  return (
    <div>
      <IconButton icon={IconSun} label={words.light} isPressed={theme === 'light'} onClick={() => choose('light')} />
      <IconButton icon={IconMoon} label={words.dark} isPressed={theme === 'dark'} onClick={() => choose('dark')} />
      <IconButton
        icon={IconContrast}
        label={words.highContrast}
        isPressed={theme === 'high-contrast'}
        onClick={() => choose('high-contrast')}
      />
    </div>
  );
}
