/** Answers laid out as bytes are the JSON that they stand for. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import { writeBatch } from '../../src/answers/batch-writer.ts';
import { JsonWriter, constant, jsonText } from '../../src/answers/json-writer.ts';
import { distanceText, roundTo, roundedText } from '../../src/answers/numbers.ts';
import { anyText } from '../support/any-text.ts';
import { amountOf } from '../support/run-settings.ts';

const out = new JsonWriter();

it('writes constants, plain and other text, and grows', () => {
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

it.each([1, 2] as const)('writes %i decimals as JSON does', (decimals) => {
  const same = (value: number): void => {
    const expected = JSON.stringify(roundTo(value, decimals));
    expect(roundedText(value, decimals)).toBe(expected);
    expect(out.begin().rounded(value, decimals).take().toString()).toBe(expected);
  };
  const edges = [0, -0, 0.05, -0.05, 0.04, -0.04, 0.049999, 9.95, 99.995, 100, 0.1, 0.01, 1.005];
  edges.forEach(same);
  [1e14, 123456789012345.6, 1e16, -1e21, 5e-324].forEach(same);
  fc.assert(fc.property(fc.double({ min: -1e7, max: 1e7, noNaN: true }), same), {
    numRuns: amountOf({ gate: 1_000, night: 5_000 }),
  });
  fc.assert(fc.property(fc.integer({ min: -9_000_000, max: 9_000_000 }), (n) => same(n / 100)));
});

it('writes no distance as null', () => {
  expect(distanceText(null)).toBe('null');
});

it('writes whole numbers as JSON does', () => {
  const same = (value: number): void => {
    expect(out.begin().whole(value).take().toString()).toBe(JSON.stringify(value));
  };
  [0, 9, 10, 99, 100, 2 ** 30, 2 ** 30 + 1, 2 ** 31, 2 ** 53 - 1].forEach(same);
  fc.assert(fc.property(fc.nat(), same));
});

it('writes texts as JSON does, whatever is in them', () => {
  const same = (text: string): void => {
    expect(jsonText(text)).toBe(JSON.stringify(text));
  };
  ['', 'Æbelø', '"', '\\', '\n', '\u0000', '\u2028', '😀', '\ud800', '\udfff'].forEach(same);
  fc.assert(fc.property(anyText, same), { numRuns: amountOf({ gate: 500, night: 2_000 }) });
  expect(jsonText(null)).toBe('null');
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
