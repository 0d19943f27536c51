/** Whatever is sent, the edge answers by its own rules: never 500, never without the six fields. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LightMyRequestResponse } from 'fastify';
import { expectError, sharedApp } from './edge.ts';
import { amountOf } from '../support/run-settings.ts';

const app = await sharedApp();

/** 2xx, or a whole error object of a class that is the caller's doing. */
function expectRuled(response: LightMyRequestResponse): void {
  expect(response.headers['x-request-id']).toBeDefined();
  if (response.statusCode < 300) return;
  const { type } = response.json<{ type: 'invalid_request' }>();
  expect(response.statusCode).toBeLessThan(500);
  expectError(response, type);
}

const POINTS = ['/v1/natur/byggelinjer', '/v1/natur/skovbyggelinje', '/v1/dagi/reverse'];
const BATCHES = ['/v1/natur/byggelinjer:batch', '/v1/dagi/reverse:batch', '/v1/dagi:batch'];
const numberish = fc.oneof(
  fc.double().map(String),
  fc.float({ min: 7, max: 58 }).map(String),
  fc.constantFrom('', ' ', '-0', '12', '55.6', '0x1', '1e400', 'NaN', '٣', '%', '[]', '\u0000'),
  fc.string(),
);
const name = fc.oneof(
  fc.constantFrom('lon', 'lat', 'x', 'y', 'srid', 'token', '__proto__', 'toString'),
  fc.string(),
);

describe('a request', () => {
  test('with any query is ruled', async () => {
    const pairs = fc.array(fc.tuple(name, numberish), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...POINTS, '/v1/status'), pairs, async (path, query) => {
        const encoded = query.map((pair) => pair.map(encode).join('=')).join('&');
        expectRuled(await app.inject(`${path}?${encoded}`));
      }),
      { numRuns: amountOf({ gate: 100, night: 300 }) },
    );
  });

  test('with any path is ruled', async () => {
    const step = fc.oneof(
      fc.constantFrom('v1', 'dagi', 'natur', 'errors', 'kommune', '..', '%', '%2e', ':batch'),
      fc.string().map(encode),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
        expectRuled(await app.inject(`/${steps.join('/')}`));
      }),
      { numRuns: amountOf({ gate: 100, night: 300 }) },
    );
  });

  test('with any JSON body is ruled', async () => {
    const point = fc.record(
      { lon: fc.anything(), lat: fc.float(), id: fc.string() },
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({ punkter: fc.array(point, { maxLength: 4 }) }),
      fc.record({ tema: fc.constantFrom('sogn', 'x'), kode: fc.array(fc.string()) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...BATCHES), body, async (url, value) => {
        const payload = stringify(value);
        const headers = { 'content-type': 'application/json' };
        expectRuled(await app.inject({ method: 'POST', url, headers, payload }));
      }),
      { numRuns: amountOf({ gate: 100, night: 300 }) },
    );
  });

  test('with any bytes as body is ruled', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...BATCHES),
        fc.uint8Array({ maxLength: 200 }),
        async (url, bytes) => {
          const headers = { 'content-type': 'application/json' };
          const payload = Buffer.from(bytes);
          expectRuled(await app.inject({ method: 'POST', url, headers, payload }));
        },
      ),
      { numRuns: amountOf({ gate: 100, night: 300 }) },
    );
  });
});

/** Lone surrogates have no percent-encoding; what a client would send is U+FFFD. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function stringify(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'bigint' ? String(inner) : inner,
    );
  } catch {
    return '{}';
  }
}
