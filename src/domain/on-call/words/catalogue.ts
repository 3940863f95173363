// The languages of the duty rules' reasons. Pure.

import type { Language } from '../../language.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import type { DutyWords } from './words.ts';

export const dutyWords: Readonly<Record<Language, DutyWords>> = { de: german, en: english, fr: french };
