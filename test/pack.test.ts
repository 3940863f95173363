// `npm pack` in a clone where nothing was built makes a package that runs: the server, the console and their licences.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

test('npm pack builds what it packs', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-pack-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  rmSync(join(root, 'dist'), { recursive: true, force: true });

  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: root, stdio: 'pipe' });

  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  execFileSync('tar', ['xzf', `tocsin-${version}.tgz`], { cwd: folder });
  const packed = join(folder, 'package');
  const help = execFileSync(process.execPath, [join(packed, 'bin/tocsin.mjs'), '--help'], { encoding: 'utf8' });
  assert.match(help, new RegExp(`^Tocsin ${version}`));
  assert.match(readFileSync(join(packed, 'dist/console/index.html'), 'utf8'), /<script type="module"/);
  for (const worker of ['store-worker.js', 'voice-worker.js', 'loop-worker.js'])
    assert.ok(existsSync(join(packed, 'dist', worker)));
  assert.equal(spawnSync(join(packed, 'contrib/tocsin-send'), ['--path']).status, 64, 'it is there and runs');
  const licences = readFileSync(join(packed, 'dist/licences.txt'), 'utf8');
  for (const name of ['fastify', 'react', '@fontsource-variable/inter', '@iconify-json/tabler']) {
    assert.match(licences, new RegExp(`^${name} \\(`, 'm'));
  }
});
