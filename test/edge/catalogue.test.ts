/** The pages that need no data: failure classes, the invented record, the cadastre, the documents. */
import { GUIDE_LIST } from '../../src/http/pages/guide-list.ts';
import { describe, expect, test } from 'vitest';
import { FAILURES, codesOf } from '../../src/kernel/failures.ts';
import type { FailureType } from '../../src/kernel/failures.ts';
import { expectError, sharedApp } from './edge.ts';

const app = await sharedApp();

describe('GET /v1/errors', () => {
  test('lists every class with status, retryability, codes and both languages', async () => {
    const response = await app.inject('/v1/errors');
    const { errors } = response.json<{ errors: Record<string, unknown>[] }>();
    expect(errors).toEqual(
      Object.entries(FAILURES).map(([type, { status, retryable, codes, da, en }]) => ({
        type,
        status,
        retryable,
        codes: [type, ...codes],
        beskrivelse: da,
        description: en,
      })),
    );
    const one = await app.inject('/v1/errors/forbidden');
    expect(one.json()).toEqual(errors.find(({ type }) => type === 'forbidden'));
    // To a browser it is a page.
    expect(one.headers['vary']).toBe('Accept');
  });
});

describe('GET /v1/errors/:type in a browser', () => {
  const ask = (url: string) =>
    app.inject({ url, headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });

  test.each(Object.entries(FAILURES))(
    'shows %s as a page of its own files only',
    async (type, of) => {
      const page = await ask(`/v1/errors/${type}`);
      expect(page.statusCode).toBe(200);
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(page.headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'self'/,
      );
      expect(page.headers['vary']).toBe('Accept');
      for (const text of [String(of.status), of.da, of.en]) expect(page.body).toContain(text);
      for (const code of codesOf(type as FailureType)) {
        expect(page.body).toContain(`<li><code>${code}</code></li>`);
      }
      for (const [, path = ''] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
        const { pathname } = new URL(path, `http://localhost/v1/errors/${type}`);
        const found = await app.inject(pathname);
        expect(found.statusCode, pathname).toBeLessThan(400);
      }
    },
  );

  test('gives an unknown class the error object', async () => {
    expectError(await ask('/v1/errors/nonsense'), 'not_found');
  });
});

describe('/openapi.json and /docs', () => {
  test.each(['/openapi.json', '/v1/status'])('lets pages of any site read %s', async (url) => {
    const headers = { origin: 'https://example.dk' };
    const answer = await app.inject({ url, headers });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    const asked = { ...headers, 'access-control-request-method': 'GET' };
    const preflight = await app.inject({ method: 'OPTIONS', url, headers: asked });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD');
  });

  test('lead to every guide, whose links lead to pages that there are', async () => {
    const pathsIn = (body: string, pattern: RegExp) =>
      [...body.matchAll(pattern)].map(([, path = '']) => path);
    const named = pathsIn((await app.inject('/docs')).body, /href="(docs\/[^"]+)"/g);
    expect(named).toEqual(GUIDE_LIST.map(({ name }) => `docs/${name}`));
    const bodies = new Map<string, string>();
    for (const { name } of GUIDE_LIST) {
      const page = await app.inject(`/docs/${name}`);
      expect(page.statusCode, name).toBe(200);
      bodies.set(name, page.body);
    }
    for (const [name, body] of bodies) {
      const article = /<article[\s\S]*<\/article>/.exec(body)?.[0] ?? '';
      for (const link of pathsIn(article, /href="((?!https?:|\/)[^"]*)"/g)) {
        // Measured by a whole service alone.
        if (link === '../status') continue;
        if (link.startsWith('../')) {
          expect((await app.inject(link.slice(2))).statusCode, `${name}: ${link}`).toBe(200);
          continue;
        }
        const [guide = '', anchor] = link.split('#');
        const target = bodies.get(guide === '' ? name : guide);
        expect(target, `${name}: ${link}`).toBeDefined();
        if (anchor !== undefined) expect(target, `${name}: ${link}`).toContain(`id="${anchor}"`);
      }
    }
  });
});
