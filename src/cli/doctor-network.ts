// The checks of `tocsin doctor` on the network: the port and the certificate.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { createServer } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { type Finding, ok, problem, reasonOf, warning } from './doctor-finding.ts';

const dayMs = 86_400_000;
const responseTimeoutMs = 3_000;

export function* checkTls(tls: Config['tls']): Generator<Finding> {
  if (tls === undefined) return;
  try {
    const certificate = new X509Certificate(readFileSync(tls.certFile));
    if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(tls.keyFile)))) {
      yield problem(
        `The key ${tls.keyFile} is not the one of the certificate ${tls.certFile}: give the two that match.`,
      );
      return;
    }
    yield expiry(certificate, tls.certFile);
  } catch (error) {
    yield problem(`The certificate ${tls.certFile} and its key cannot be used: ${reasonOf(error)}.`);
  }
}

function expiry({ validFromDate, validToDate }: X509Certificate, file: string): Finding {
  const days = Math.floor((validToDate.getTime() - Date.now()) / dayMs);
  if (days < 0) return problem(`The certificate ${file} has expired: get a new one and start the server again.`);
  if (validFromDate.getTime() > Date.now())
    return problem(`The certificate ${file} is not valid yet: look at the clock of this machine.`);
  if (days < 30) return warning(`The certificate ${file} expires in ${days} days: get a new one.`);
  return ok(`The certificate ${file} matches its key and is valid for ${days} days.`);
}

export async function* checkPort(config: Config): AsyncGenerator<Finding> {
  const { host, port } = config;
  const code = port === 0 ? undefined : await listenError(host, port);
  if (code === undefined) yield ok(port === 0 ? 'Any free port will be taken.' : `Port ${port} on ${host} is free.`);
  else if (code === 'EADDRINUSE') yield await checkListener(config);
  else
    yield problem(
      `Tocsin cannot listen on ${host}, port ${port} (${code}): choose others with TOCSIN_HOST and TOCSIN_PORT.`,
    );
}

/** Returns the error code when listening fails, otherwise undefined. */
async function listenError(host: string, port: number): Promise<string | undefined> {
  const probe = createServer().listen(port, host);
  try {
    await once(probe, 'listening');
    probe.close();
    await once(probe, 'close');
    return undefined;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : reasonOf(error);
  }
}

type Readiness = { status?: string; checks?: { name: string; ok: boolean; detail: string }[] };

async function checkListener(config: Config): Promise<Finding> {
  const { status, checks = [] } = await readiness(config).catch((): Readiness => ({}));
  const where = `port ${config.port} on ${config.host}`;
  if (status === 'ready') return ok(`A Tocsin is running on ${where} and is ready.`);
  if (status === 'not-ready') {
    const missing = checks.filter((check) => !check.ok).map(({ name, detail }) => `${name}: ${detail}`);
    return problem(`A Tocsin is running on ${where} but is not ready (${missing.join('; ')}): look at its log.`);
  }
  return problem(`Another program has ${where}: stop it, or choose another with TOCSIN_PORT.`);
}

async function readiness({ host, port, tls, basePath }: Config): Promise<Readiness> {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const target = { host: name, port, path: `${basePath}/health/ready`, timeout: responseTimeoutMs };
  // Only identifies the listener on this machine; the certificate has its own check.
  const request = tls ? httpsGet({ ...target, rejectUnauthorized: false }) : httpGet(target);
  request.on('timeout', () => request.destroy(new Error('no answer')));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return (await json(response)) as Readiness;
}
