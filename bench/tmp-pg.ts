import { startPostgres } from './../test/harness/postgres-server.ts';
const s = await startPostgres(); console.log(s.url); process.on('SIGTERM', async () => { await s.stop(); process.exit(0); }); setInterval(() => {}, 1000);
