// The theme of this browser: light by day, dark, or high contrast; and how dense rows are.

export type Theme = 'light' | 'dark' | 'high-contrast';
export const themes: readonly Theme[] = ['light', 'dark', 'high-contrast'];

const themeKey = 'tocsin.theme';
const densityKey = 'tocsin.density';
const wallKey = 'tocsin.wall';

export function currentTheme(): Theme {
  const chosen = localStorage.getItem(themeKey);
  const known = themes.find((theme) => theme === chosen);
  if (known !== undefined) return known;
  if (matchMedia('(prefers-contrast: more)').matches) return 'high-contrast';
  const isNightOnPhone = matchMedia('(max-width: 639px)').matches && isNight(new Date().getHours());
  return isNightOnPhone || matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

function isNight(hour: number): boolean {
  return hour >= 20 || hour < 7;
}

export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  root.dataset.theme = theme;
  root.dataset.density = localStorage.getItem(densityKey) ?? 'dense';
  // A wall is asked for once by its address, and stays one in this tab.
  const asked = new URLSearchParams(location.search).get('wall');
  if (asked !== null) sessionStorage.setItem(wallKey, asked);
  if (Number(sessionStorage.getItem(wallKey) ?? 0) > 0) root.dataset.wall = '';
  else delete root.dataset.wall;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(themeKey, theme);
  applyTheme(theme);
}

export function toggleDensity(): void {
  const root = document.documentElement;
  root.dataset.density = root.dataset.density === 'dense' ? 'normal' : 'dense';
  localStorage.setItem(densityKey, root.dataset.density);
  for (const listener of densityListeners) listener();
}

const densityListeners = new Set<() => void>();

export function onDensity(listener: () => void): () => void {
  densityListeners.add(listener);
  return () => densityListeners.delete(listener);
}
