// Builds dist/ of a package of the workspace, which is the package as it is published: compiled sources, types, manifest,
// README, changelog, licence. The working directory is the folder of the package.

import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const home = pathToFileURL(`${process.cwd()}/`);
const dist = new URL('dist/', home);

function compile(): void {
  const compiler = new URL('bin/tsc', import.meta.resolve('typescript/package.json'));
  const args = [fileURLToPath(compiler), '-p', fileURLToPath(new URL('tsconfig.build.json', home))];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error('The package does not compile, see above.');
}

/** The compiler rewrites relative imports in the code alone; older compilers do not find `./x.ts` from a declaration. */
function rewriteDeclarations(): void {
  for (const name of globSync('**/*.d.ts', { cwd: fileURLToPath(dist) })) {
    const file = new URL(name, dist);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}

/** The manifest of the published package: without what only the workspace needs, and with the compiled files. */
function manifest(): unknown {
  const source = JSON.parse(readFileSync(new URL('package.json', home), 'utf8'));
  const { private: _private, scripts: _scripts, devDependencies: _devDependencies, ...published } = source;
  return { ...published, exports: { '.': { types: './index.d.ts', default: './index.js' } } };
}

rmSync(dist, { recursive: true, force: true });
compile();
rewriteDeclarations();
writeFileSync(new URL('package.json', dist), `${JSON.stringify(manifest(), null, 2)}\n`);
for (const name of ['README.md', 'CHANGELOG.md']) copyFileSync(new URL(name, home), new URL(name, dist));
copyFileSync(new URL('../LICENSE', import.meta.url), new URL('LICENSE', dist));
