// Tests the settings: defaults, all mistakes reported together, secrets never shown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printSettings, readConfig } from './config.ts';
import { ConfigError } from './config-values.ts';

function mistakesOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.mistakes;
  }
}

test('without settings the server uses loopback and SQLite in ./data', () => {
  const config = readConfig({});
  assert.deepEqual([config.host, config.port, config.databaseUrl, config.basePath], ['127.0.0.1', 8080, undefined, '']);
  assert.match(config.dataDir, /data$/);
  assert.equal(config.timeZone, new Intl.DateTimeFormat().resolvedOptions().timeZone);
  assert.ok(Object.isFrozen(config));
});

test('the language is the setting as written, or the machine’s', () => {
  assert.equal(readConfig({ TOCSIN_LANGUAGE: 'de-ch' }).language, 'de-ch');
  const { locale } = new Intl.DateTimeFormat().resolvedOptions();
  for (const environment of [{}, { TOCSIN_LANGUAGE: '' }]) assert.equal(readConfig(environment).language, locale);
});

test('a command is its words, in which quotes keep spaces', () => {
  const { speech } = readConfig({ TOCSIN_SPEECH_COMMAND: 'piper -m "/my voices/{voice}.onnx" -f -' });
  assert.deepEqual(speech.command, ['piper', '-m', '/my voices/{voice}.onnx', '-f', '-']);
});

test('an empty variable is treated as not set', () => assert.equal(readConfig({ TOCSIN_PORT: '' }).port, 8080));

test('variables of other programs and of the test runner are ignored', () => {
  assert.deepEqual(mistakesOf({ HOME: '/', TOCSIN_TEST_POSTGRES_URL: 'x' }), []);
});

const single: readonly [name: string, value: string, message: RegExp][] = [
  ['TOCSIN_PORT', '70000', /whole number from 0 to 65535/],
  ['TOCSIN_SPEECH_COMMAND', '"espeak-ng -v x', /a program and its arguments/],
  ['TOCSIN_SPEECH_VOICES', 'en=-w/etc/passwd', /languages and voices/],
  ['TOCSIN_PORT', '0x50', /whole number/],
  ['TOCSIN_DATABASE_URL', 'mysql://x/y', /postgres:\/\//],
  ['TOCSIN_BASE_PATH', 'alertws', /leading slash/],
  ['TOCSIN_BASE_PATH', '/alertws/', /leading slash/],
  ['TOCSIN_TIME_ZONE', 'Paris', /IANA/],
  ['TOCSIN_LANGUAGE', 'fr_FR', /must be a language tag such as fr or de-CH/],
  ['TOCSIN_LANGUAGE', 'fr,de', /must be a language tag/],
  ['TOCSIN_LOG_LEVEL', 'loud', /one of fatal/],
  ['TOCSIN_INSECURE', 'yes', /true or false/],
  ['TOCSIN_TRUSTED_PROXIES', 'proxy.local', /addresses/],
  ['TOCSIN_ADMIN_PASSWORD', 'short', /8 to 1024/],
  ['TOCSIN_TLS_CERT', '/nowhere.pem', /exists/],
  ['TOCSIN_HOST', '0.0.0.0', /TOCSIN_INSECURE/],
  ['TOCSIN_HOST', '192.168.1.5', /TOCSIN_INSECURE/],
  ['TOCSIN_POTR', '1', /did you mean TOCSIN_PORT/],
];

for (const [name, value, message] of single) {
  test(`${name}=${value} is refused`, () => {
    const [mistake = ''] = mistakesOf({ [name]: value });
    assert.match(mistake, message);
    assert.match(mistake, new RegExp(name));
  });
}

test('all mistakes are reported together', () => {
  assert.equal(mistakesOf({ TOCSIN_PORT: 'x', TOCSIN_LOG_LEVEL: 'x', TOCSIN_NOPE: 'x' }).length, 3);
});

test('plain HTTP beyond loopback is allowed behind a proxy, and on loopback always', () => {
  assert.equal(readConfig({ TOCSIN_HOST: '0.0.0.0', TOCSIN_INSECURE: 'true' }).insecure, true);
  for (const host of ['127.0.0.2', '::1', 'localhost']) assert.equal(readConfig({ TOCSIN_HOST: host }).host, host);
});

test('only the settings that are set are shown', () => {
  assert.deepEqual(printSettings({ TOCSIN_PORT: '8081', PATH: '/bin' }), ['TOCSIN_PORT=8081']);
});

test('secrets are never shown, neither as settings nor in a mistake', () => {
  const environment = { TOCSIN_DATABASE_URL: 'mysql://a:hidden@b/c', TOCSIN_ADMIN_PASSWORD: 'hidden!' };
  assert.doesNotMatch(printSettings(environment).join('\n'), /hidden/);
  assert.doesNotMatch(mistakesOf(environment).join('\n'), /hidden/);
});
