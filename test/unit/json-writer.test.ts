/** Answers laid out as bytes are the JSON that they stand for. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import { writeBatch } from '../../src/answers/batch-writer.ts';
import { JsonWriter, constant } from '../../src/answers/json-writer.ts';
import { roundTo } from '../../src/answers/numbers.ts';
import { amountOf } from '../support/run-settings.ts';

it('writes constants, plain and other text, and grows', () => {
  const out = new JsonWriter();
  const piece = constant('{"navn":"Æbelø § 15"}');
  out.begin();
  for (let i = 0; i < 5_000; i++) out.bytes(piece).ascii(',').text('"æ€😀"').ascii('\n');
  const expected = '{"navn":"Æbelø § 15"},"æ€😀"\n'.repeat(5_000);
  const taken = out.take();
  expect(taken.toString('utf8')).toBe(expected);
  // What was taken stays what it is.
  out.begin().ascii('x'.repeat(100));
  expect(taken.toString('utf8')).toBe(expected);
});

it('writes degrees as the shortest text of the rounded number', () => {
  const out = new JsonWriter();
  fc.assert(
    fc.property(fc.double({ min: -180, max: 180, noNaN: true }), (value) => {
      const text = out.begin().degrees(value).take().toString();
      expect(Number(text)).toBe(roundTo(value, 8) + 0);
      expect(text).toMatch(/^-?\d+(\.\d*[1-9])?$/);
    }),
  );
  for (const value of [0, -0, 12, 9.99999999, 55.123456784, 55.100000004, 9.999999996, 0.5]) {
    const text = out.begin().degrees(value).take().toString();
    expect(text).toBe(String(roundTo(value, 8)));
  }
});

it('writes decimals as they would be told, whatever their digits', () => {
  const out = new JsonWriter();
  const told = (value: number): string => out.begin().decimal(value).take().toString();
  const sent = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.integer({ min: -2e10, max: 2e10 }).map((scaled) => scaled / 1e8),
    fc.integer({ min: -2e9, max: 2e9 }).map((scaled) => scaled / 1e7),
  );
  fc.assert(
    fc.property(sent, (value) => {
      expect(Number(told(value))).toBe(value + 0);
    }),
    { numRuns: amountOf({ gate: 400, night: 2_000 }) },
  );
  for (const value of [0, 12, 12.5, 55.1234567, 11.46659207, 9.000000001, 1e21, 1234.5, -8.25]) {
    expect(told(value)).toBe(String(value));
  }
});

// Order, counts and ids: test/edge/kote.test.ts, adresser.test.ts and bad-input.test.ts.
it('writes what an error of a batch says as JSON', async () => {
  const punkt = { lon: 12.25, lat: 55.125 };
  const answers = [new Failure('upstream_unavailable', { error: 'Væk "nu".' })];
  const batch = { items: [punkt], answers, write: () => undefined, meta: { kilde: 'ø' } };
  const body = await writeBatch(new JsonWriter(), batch);
  expect(JSON.parse(body.toString('utf8'))).toMatchObject({
    errors: [{ punkt, error: 'Væk "nu".', status: 503 }],
    meta: { kilde: 'ø' },
  });
});

it('mixes no two batches that are written at the same time', async () => {
  const out = new JsonWriter();
  const items = Array.from({ length: 50 }, () => ({ lon: 12, lat: 55 }));
  const spin = (): void => {
    const end = performance.now() + 0.1;
    while (performance.now() < end);
  };
  const bodies = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      writeBatch(out, {
        items,
        answers: items.map(() => name),
        write: (each, answer) => {
          spin();
          each.ascii(`,"navn":"${answer}"`);
        },
        meta: null,
      }),
    ),
  );
  for (const [i, body] of bodies.entries()) {
    const { results } = JSON.parse(body.toString('utf8')) as { results: { navn: string }[] };
    expect(results.map(({ navn }) => navn)).toEqual(items.map(() => 'abc'[i]));
  }
});
