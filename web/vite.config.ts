// Builds the console into web/dist: relative addresses, so that it works below any base path.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { iconNames } from './icon-names.ts';

const require = createRequire(import.meta.url);

/** Provides `virtual:icons`: the outlines of the icons that are used, out of one file with all of the set. */
const icons: Plugin = {
  name: 'icons',
  resolveId: (id) => (id === 'virtual:icons' ? '\0virtual:icons' : undefined),
  load(id) {
    if (id !== '\0virtual:icons') return undefined;
    const set = JSON.parse(readFileSync(require.resolve('@iconify-json/tabler/icons.json'), 'utf8'));
    const pathsOf = (name: string) => Array.from(set.icons[name].body.matchAll(/ d="([^"]+)"/g), ([, path]) => path);
    return `export const paths = ${JSON.stringify(Object.fromEntries(iconNames.map((name) => [name, pathsOf(name)])))}`;
  },
};

export default defineConfig({
  base: './',
  plugins: [react(), icons],
  build: { target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
