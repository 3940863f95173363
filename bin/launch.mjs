// Starts a file of Tocsin: installs what package-lock.json asks for when it is not there, picks a Node new enough, runs it.
// Plain JavaScript that an old Node can read too: it is what tells the user of an old Node what to do.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  statSync,
  utimes,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import * as nodeModule from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockFile = join(root, 'package-lock.json');
const modules = join(root, 'node_modules');
const npmRecord = join(modules, '.package-lock.json');
const stampFile = join(modules, '.tocsin-installed');
// Outside node_modules, which npm empties; a folder, because making one is atomic and git does not see an empty one.
const turn = join(root, '.installing');

/**
 * Runs `file` with `args`; in this process when it can, so that nothing stands between npm and the server. A function
 * is asked for the file once everything is installed. `needsDevPackages: false` is content with an install that left the
 * development packages out.
 */
export async function launch({ file, args, nodeOptions = [], needsDevPackages = true, abandonedAfterMs = 5000 }) {
  endWithNpm();
  if (!isInstalled(needsDevPackages)) await installInTurn(needsDevPackages, abandonedAfterMs);
  const node = suitableNode();
  rememberCompiledCode();
  const program = typeof file === 'function' ? await file() : file;
  if (node === process.execPath && nodeOptions.length === 0) {
    process.argv = [node, resolve(program), ...args];
    await import(pathToFileURL(resolve(program)).href);
    return;
  }
  const ended = await run(node, [...nodeOptions, program, ...args], { stdio: 'inherit' });
  if (ended.error) fail(`${node} could not be started: ${ended.error.message}`);
  if (ended.signal) process.kill(process.pid, ended.signal);
  else process.exit(ended.code);
}

/** Compiles each file once and not at every start; threads and child processes find it through the environment. */
function rememberCompiledCode() {
  process.env.NODE_COMPILE_CACHE ??= join(modules, '.cache', 'compiled');
  nodeModule.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
}

/**
 * Ends this process when the shell that npm started it in is gone: npm passes SIGTERM to that shell alone, and Debian's
 * dies of it without a word to its child, which would run on unseen.
 */
function endWithNpm() {
  const shell = process.ppid;
  if (!process.env.npm_lifecycle_event) return;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}

function isInstalled(needsDevPackages) {
  // A copy that was itself installed from a package has no lock: npm has seen to its dependencies.
  if (!existsSync(lockFile)) return true;
  return textOf(stampFile) === stamp() || recordAgrees(needsDevPackages);
}

// Over npm's record too: whatever npm does to node_modules later makes the stamp void.
function stamp() {
  return createHash('sha256').update(textOf(lockFile)).update(textOf(npmRecord)).digest('hex');
}

/** Whether node_modules, as npm itself recorded it, is what the lock asks for: somebody ran npm by hand. */
function recordAgrees(needsDevPackages) {
  const wanted = packagesIn(lockFile);
  const present = packagesIn(npmRecord);
  if (wanted === undefined || present === undefined) return false;
  const mayLack = (entry) => entry.optional || (!needsDevPackages && (entry.dev || entry.devOptional));
  const isMet = ([path, entry]) => {
    const found = present[path];
    if (path === '' || found === undefined) return path === '' || mayLack(entry);
    return found.version === entry.version && found.integrity === entry.integrity;
  };
  return Object.entries(wanted).every(isMet) && Object.keys(present).every((path) => path in wanted);
}

function packagesIn(path) {
  try {
    return JSON.parse(textOf(path)).packages;
  } catch {
    return undefined;
  }
}

function textOf(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

async function installInTurn(needsDevPackages, abandonedAfterMs) {
  await takeTurn(abandonedAfterMs);
  const heartbeat = setInterval(() => utimes(turn, new Date(), new Date(), () => {}), 250);
  let problem;
  try {
    // Another start may have installed while this one waited.
    if (!isInstalled(needsDevPackages)) problem = await install();
  } finally {
    clearInterval(heartbeat);
    rmdirSync(turn);
  }
  if (problem) fail(problem);
}

/** Waits until no other start installs; one whose heartbeat has stopped was killed, and its turn is taken over. */
async function takeTurn(abandonedAfterMs) {
  let lastBeat;
  let seenAt = 0;
  while (!tookTurn()) {
    const beat = statSync(turn, { throwIfNoEntry: false })?.mtimeMs;
    if (lastBeat === undefined) say('Waiting for another start of Tocsin that is installing…');
    // Own clock, own observation: right also after the machine slept, and when the other runs in another container.
    if (beat !== lastBeat) [lastBeat, seenAt] = [beat, performance.now()];
    else if (beat !== undefined && performance.now() - seenAt > abandonedAfterMs) rmdirSync(turn);
    await delay(50);
  }
}

function tookTurn() {
  try {
    mkdirSync(turn);
    utimesSync(turn, new Date(), new Date());
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    return fail(`Tocsin cannot install what it needs: ${error.message}`);
  }
}

/** Runs `npm ci` and shows how long it takes; answers with a sentence when it failed. */
async function install() {
  const why = existsSync(modules) ? 'package-lock.json is not what is installed' : 'first start';
  const startedAt = performance.now();
  const seconds = () => `${Math.round((performance.now() - startedAt) / 1000)} s`;
  const line = `Installing what Tocsin needs (${why}, about a minute)…`;
  say(line);
  const isTerminal = process.stderr.isTTY;
  const progress = () => process.stderr.write(isTerminal ? `\x1b[1A\r${line} ${seconds()}\n` : `… ${seconds()}\n`);
  const ticking = setInterval(progress, isTerminal ? 1000 : 15_000);
  const npm = npmCommand();
  let output = '';
  const ended = await run(npm.command, [...npm.args, 'ci', '--ignore-scripts', '--include=dev', '--include=optional'], {
    cwd: root,
    shell: npm.shell,
    stdio: ['ignore', 'pipe', 'pipe'],
    onOutput: (text) => {
      output += text;
    },
  });
  clearInterval(ticking);
  if (ended.error)
    return `npm could not be started (${ended.error.message}): it comes with Node, see https://nodejs.org`;
  if (ended.signal) return `Installing was stopped by ${ended.signal}.`;
  if (ended.code !== 0)
    return `${output.trimEnd()}\nInstalling failed: npm ci ended with code ${ended.code}, see above.`;
  mkdirSync(modules, { recursive: true });
  writeFileSync(stampFile, stamp());
  say(`Installed in ${seconds()}.`);
  return undefined;
}

function npmCommand() {
  const cli = process.env.npm_execpath;
  // Other package managers set the same variable, but only npm knows `npm ci`. npm's own Node comes first, because on
  // Windows a Node inside node_modules could not be replaced while npm runs on it.
  if (cli && /npm-cli\.[cm]?js$/.test(cli)) {
    return { command: process.env.npm_node_execpath ?? process.execPath, args: [cli], shell: false };
  }
  return { command: 'npm', args: [], shell: process.platform === 'win32' };
}

function suitableNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const needed = engines.node.replace('>=', '');
  if (isAtLeast(process.versions.node, needed)) return process.execPath;
  return (
    bundledNode() ??
    fail(`Tocsin needs Node ${needed} or newer and this is ${process.version}: get it from https://nodejs.org`)
  );
}

function isAtLeast(version, needed) {
  const [major, minor] = version.split('.').map(Number);
  const [neededMajor, neededMinor = 0] = needed.split('.').map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}

/** The Node that npm brought as an optional package, where there is one for this machine. */
function bundledNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  try {
    const manifest = nodeModule
      .createRequire(join(root, 'package.json'))
      .resolve(`node-${system}-${process.arch}/package.json`);
    return join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.node);
  } catch {
    return undefined;
  }
}

/** Runs a command to its end, passing on the signals this process gets; answers with its code, signal or start error. */
function run(command, args, { onOutput, ...options }) {
  return new Promise((done) => {
    const child = spawn(command, args, options);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    const forward = (signal) => child.kill(signal);
    const end = (ended) => {
      for (const signal of signals) process.off(signal, forward);
      done(ended);
    };
    for (const signal of signals) process.on(signal, forward);
    child.stdout?.setEncoding('utf8').on('data', onOutput);
    child.stderr?.setEncoding('utf8').on('data', onOutput);
    child.on('error', (error) => end({ error }));
    child.on('close', (code, signal) => end({ code, signal }));
  });
}

// To stderr, so that what a command prints can still be piped.
function say(sentence) {
  console.error(sentence);
}

function fail(sentence) {
  say(sentence);
  process.exit(1);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const given = process.argv.slice(2);
  const start = given.findIndex((argument) => !argument.startsWith('-'));
  if (start === -1) fail('Usage: node bin/launch.mjs [node options] FILE [arguments]');
  await launch({ nodeOptions: given.slice(0, start), file: given[start], args: given.slice(start + 1) });
}
