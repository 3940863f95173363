// Tests the proxy script for pages: names as defined, and no way for a name to inject code.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { proxyScript } from './proxy-script.ts';

it('the proxy script has the hubs and their methods by name, and the address of the mount', () => {
  const script = proxyScript('/base/signalr', [
    { name: 'alarmHub', methods: { subscribe: () => {}, other: () => {} } },
    { name: 'second' },
  ]);
  assert.match(script, /proxies\['alarmHub'\] = this\.createHubProxy\('alarmHub'\);/);
  assert.match(script, /proxies\['alarmHub'\]\.client = \{\};/);
  assert.match(script, /'subscribe': caller\(proxies\['alarmHub'\], 'subscribe'\),\n/);
  assert.match(script, /'other': caller\(proxies\['alarmHub'\], 'other'\)\n/);
  assert.match(script, /proxies\['second'\] = this\.createHubProxy\('second'\);/);
  assert.match(script, /\$\.hubConnection\('\/base\/signalr', \{ useDefaultPath: false \}\)/);
});

it('the proxy script escapes characters that would end a string', () => {
  const script = proxyScript("/a'b", [{ name: 'x\\</script>' }]);
  assert.ok(script.includes("'/a\\u0027b'") && script.includes("'x\\u005c\\u003c/script\\u003e'"));
});
