/** The proxies of docs/tls.md, as they are printed there: each ends TLS in front of what the service receives. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { end } from '../support/crash-kit.ts';
import { freePort } from '../support/free-port.ts';
import { ownFolder } from '../support/opened.ts';
import { isOnPath } from '../support/programs.ts';
import { until } from '../support/until.ts';
import { makeAuthority } from '../webhooks/certificates.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/tls.md'), 'utf8');
const blockOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(DOCUMENT)?.[1] ?? '';

interface Place {
  readonly dir: string;
  readonly port: number;
  readonly behind: number;
}

const PROXIES: Readonly<
  Record<string, (text: string, place: Place) => { text: string; args: string[] }>
> = {
  nginx: (text, { dir, port, behind }) => ({
    text: [
      `daemon off; error_log stderr; pid ${dir}/nginx.pid; events {}`,
      `http { ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${dir}/${kind};`).join(' ')}`,
      text
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace('127.0.0.1:8080', `127.0.0.1:${behind}`)
        .replaceAll('/etc/nginx/', `${dir}/`),
      '}',
    ].join('\n'),
    args: ['-p', dir, '-c', join(dir, 'proxy.conf')],
  }),
  haproxy: (text, { dir, port, behind }) => ({
    text: text
      .replace(':443', `127.0.0.1:${port}`)
      .replace('127.0.0.1:8080', `127.0.0.1:${behind}`)
      .replaceAll('/etc/haproxy/', `${dir}/`),
    args: ['-db', '-f', join(dir, 'proxy.conf')],
  }),
};

describe.each(Object.entries(PROXIES))('%s', (name, settingsFor) => {
  const dir = ownFolder('proxy');
  const isHere = isOnPath(name) && isOnPath('openssl');
  let behind: Server;
  let proxy: ChildProcess;
  let agent: Agent;
  let base: string;
  let said = '';

  beforeAll(async () => {
    if (!isHere) return;
    behind = createServer((asked, answer) => {
      let bytes = 0;
      asked.on('data', (chunk: Buffer) => (bytes += chunk.length));
      asked.on('end', () => answer.end(JSON.stringify({ headers: asked.headers, bytes })));
    }).listen(0, '127.0.0.1');
    await once(behind, 'listening');
    const authority = makeAuthority();
    const { key, cert } = authority.issue('DNS:geo.example.dk');
    writeFileSync(join(dir, 'geo.key'), key);
    // HAProxy wants both in one file; nginx takes the certificate of it.
    writeFileSync(join(dir, 'geo.pem'), cert + key);
    const port = await freePort();
    const place = { dir, port, behind: (behind.address() as AddressInfo).port };
    const { text, args } = settingsFor(blockOf(name), place);
    writeFileSync(join(dir, 'proxy.conf'), text);
    proxy = spawn(name, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    proxy.stderr?.on('data', (bytes: Buffer) => (said += bytes.toString()));
    agent = new Agent({ connect: { ca: authority.ca, servername: 'geo.example.dk' } });
    base = `https://127.0.0.1:${port}`;
    const isUp = () =>
      ask({}).then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(isUp, { by: proxy, everyMs: 100, seen: () => said });
  });
  afterAll(async () => {
    if (!isHere) return;
    await agent.destroy();
    await end(proxy, 'SIGTERM');
    behind.close();
  });

  async function ask(headers: Record<string, string>, body?: Buffer) {
    const answer = await request(`${base}/v1/jobs`, {
      ...{ dispatcher: agent, method: body === undefined ? 'GET' : 'POST' },
      headers: { host: 'geo.example.dk', ...headers },
      ...(body && { body }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  }

  test.skipIf(!isHere)('tells who asks, whatever a client claims, and for which host', async () => {
    const { text } = await ask({ 'x-forwarded-for': '203.0.113.9', authorization: 'Bearer x' });
    const { headers } = JSON.parse(text) as { headers: Record<string, string> };
    expect(headers).toMatchObject({
      ...{ 'x-forwarded-for': '127.0.0.1', host: 'geo.example.dk', authorization: 'Bearer x' },
    });
  });

  test.skipIf(!isHere)(
    'passes a job of ten megabytes on, and no more than a service reads',
    async () => {
      const { status, text } = await ask({}, Buffer.alloc(10 * 1024 * 1024));
      expect([status, JSON.parse(text)]).toMatchObject([200, { bytes: 10 * 1024 * 1024 }]);
      expect(
        (await ask({}, Buffer.alloc(12 * 1024 * 1024)).catch(() => ({ status: 413 }))).status,
      ).toBe(413);
    },
  );
});
