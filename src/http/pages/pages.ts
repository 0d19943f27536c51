/**
 * The pages a person looks at, served as they lie in `src/web`: plain files, read once at start. A
 * page may load its own files and ask its own service, and nothing else.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { query } from '../wire/schemas.ts';

const DIRECTORY = join(import.meta.dirname, '../../web');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const ON = 'data-drift="on"';
const OFF = 'data-drift="off"';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Where each folder's page is found. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  drift: ['/drift'],
  konto: ['/log-ind', '/konto'],
};

/**
 * The pages and their files. A page itself tells nothing: its data want a session or the operator's
 * token. Where there is no such token the operator's page asks for none.
 */
export function pageRoutes(app: FastifyInstance, page: { readonly operated: boolean }): void {
  for (const [folder, paths] of Object.entries(PAGES)) {
    for (const file of readdirSync(join(DIRECTORY, folder))) {
      const type = TYPES[extname(file)];
      if (type === undefined) continue;
      const text = readFileSync(join(DIRECTORY, folder, file), 'utf8');
      const body = Buffer.from(page.operated ? text : text.replace(ON, OFF));
      for (const path of file === 'index.html' ? paths : [`/${folder}/${file}`]) {
        serve(app, path, { body, type });
      }
    }
  }
}

function serve(
  app: FastifyInstance,
  path: string,
  { body, type }: { readonly body: Buffer; readonly type: string },
): void {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const schema = { hide: true, querystring: query({}) };
  app.get(path, { schema }, (request, reply) => {
    void reply.headers({
      etag,
      'cache-control': 'no-cache',
      'content-security-policy': CSP,
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'geolocation=(), camera=(), microphone=()',
    });
    if (request.headers['if-none-match'] === etag) void reply.code(304).send();
    else void reply.type(type).send(body);
  });
}
