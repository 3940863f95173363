// Measures once.
import { DatabaseSync } from 'node:sqlite';
import { startPostgres } from './test/harness/postgres-server.ts';
import { runTocsin, startServer } from './test/harness/server-process.ts';
import { idReader } from './src/store/sqlite/issued-ids.ts';
const env = { TOCSIN_DATA_DIR: '/tmp/big', TOCSIN_PORT: '0', TOCSIN_ADMIN_PASSWORD: 'correct horse battery' };
const s = await startServer(env); await s.end('SIGTERM');
const db = new DatabaseSync('/tmp/big/tocsin.db');
db.exec(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1000000) INSERT INTO events (kind, at, actor, station_id, subject_id, data) SELECT 'alarm.raised', 1700000000000+n, 'user:3', 1, n, '{"path":"Plant/Pump/'||n||'","message":"Pressure is too high in vessel '||n||'"}' FROM n`);
const read = idReader(db); let t = performance.now(); for (let i = 0; i < 100000; i++) read(); console.log('ids read us', (performance.now() - t) / 100);
db.close();
const server = await startServer(env);
const token = (await (await fetch(server.url + '/api/v1/auth/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ grant_type: 'password', username: 'admin', password: env.TOCSIN_ADMIN_PASSWORD }) })).json()).access_token;
let n = 0;
async function load(stop: () => boolean) { const lat: number[] = []; while (!stop()) { const b = performance.now(); const r = await fetch(server.url + '/api/v1/taggroups', { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body: JSON.stringify({ name: `g${n++}` }) }); await r.text(); lat.push(performance.now() - b); await new Promise((d) => setTimeout(d, Math.max(0, 5 - (performance.now() - b)))); } lat.sort((a, b) => a - b); return { n: lat.length, p50: lat[Math.floor(lat.length * .5)]?.toFixed(2), p99: lat[Math.floor(lat.length * .99)]?.toFixed(2) }; }
const end = Date.now() + 4000; console.log('without', await load(() => Date.now() > end));
let over = false; const during = load(() => over);
console.log((await runTocsin(env, ['backup', '/tmp/big.backup'])).output); over = true; console.log('during backup', await during);
await server.end('SIGTERM');
console.log((await runTocsin({ ...env, TOCSIN_DATA_DIR: '/tmp/big2' }, ['restore', '/tmp/big.backup'])).output);
const pg = await startPostgres();
try {
  const penv = { ...env, TOCSIN_DATA_DIR: '/tmp/big3', TOCSIN_DATABASE_URL: pg.url };
  console.log((await runTocsin(penv, ['restore', '/tmp/big.backup'])).output);
  console.log((await runTocsin(penv, ['backup', '/tmp/big-pg.backup'])).output);
  console.log((await runTocsin(penv, ['restore', '/tmp/big-pg.backup', '--replace'])).output);
} finally { await pg.stop(); }
