/** Small rules of the edge, one by one: language, numbers, headers, what is logged. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coerceNumbers, numbersOf } from '../../src/http/plugins/validation.ts';
import { roundTo } from '../../src/answers/numbers.ts';
import { decimalOf, decimalsOf } from '../../src/kernel/number-texts.ts';
import { standardHeaders } from '../../src/http/plugins/every-request.ts';
import { parseJsonBody } from '../../src/http/wire/json-body.ts';
import { preferredLanguage, wants } from '../../src/http/wire/accept.ts';
import { provenanceHeaders } from '../../src/answers/provenance.ts';
import { redact } from '../../src/kernel/log.ts';

/** How numbers are written, and what each is read as. */
const SPELLINGS: Readonly<Record<string, number | null>> = {
  ...{ 1: 1, '12.5': 12.5, '-.5e1': -5, '+1': 1, '.5': 0.5, '5.': 5, '1e3': 1000, '007': 7 },
  ...{ '': null, ' ': null, ' 1': null, '1 ': null, '--1': null, '.': null, '1,5': null },
  ...{ '0x10': null, '0b1': null, '0o7': null, '1_000': null, '1e400': null, '1n': null },
  ...{
    [`${'0'.repeat(30)}.${'1'.repeat(60)}`]: 1 / 9,
    [`.${'1'.repeat(61)}`]: null,
    ['1'.repeat(31)]: null,
  },
  ...{ Infinity: null, NaN: null, '１': null, '١': null, true: null, null: null },
};

describe('Accept-Language', () => {
  test.each([
    [undefined, 'da'],
    ['', 'da'],
    ['en', 'en'],
    ['da', 'da'],
    ['EN-gb', 'en'],
    ['da, en', 'da'],
    ['en, da', 'en'],
    ['da;q=0.5, en;q=0.9', 'en'],
    ['en;q=0.5, da;q=0.9', 'da'],
    ['de, fr;q=0.9', 'da'],
    ['de, en;q=0.1', 'en'],
    ['en;q=0', 'da'],
    ['en;q=0, da;q=0', 'da'],
    ['*', 'da'],
    ['en;q=0.1, *;q=0.5', 'da'],
    ['en;q=2', 'da'],
    ['en;q=x', 'da'],
    [';;;,,,==', 'da'],
    ['english', 'da'],
    ['en-US,en;q=0.9,da;q=0.8', 'en'],
  ])('%s asks for %s', (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });
});

test.each<[accept: string | undefined, isWanted: boolean]>([
  ...[undefined, '', '*/*', 'text/*', 'text/html;q=0, */*', 'text/html;q=2'].map(
    (none): [string | undefined, boolean] => [none, false],
  ),
  ['TEXT/HTML;level=1', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['application/json, text/html', true],
  ['application/json, text/html;q=0.9', false],
  ['text/html;q=0.5, */*;q=0.8', false],
  ['text/html;q=0.5, application/json;q=0', true],
])('a client that accepts %s wants a page: %s', (accept, isWanted) => {
  expect(wants(accept, 'text/html')).toBe(isWanted);
});

describe('numbers', () => {
  test('are rounded half away from zero, alike on both sides, and never -0', () => {
    expect(roundTo(0.05, 1)).toBe(0.1);
    expect(roundTo(-0.05, 1)).toBe(-0.1);
    expect(Object.is(roundTo(-0.04, 1), 0)).toBe(true);
    expect(Object.is(roundTo(-0, 1), 0)).toBe(true);
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
        const rounded = roundTo(value, 1);
        expect(Object.is(rounded, -0)).toBe(false);
        expect(Math.abs(rounded - value)).toBeLessThanOrEqual(0.05 + 1e-9);
        expect(roundTo(-value, 1)).toBe(rounded === 0 ? 0 : -rounded);
      }),
    );
  });

  test('are read from plain decimals only', () => {
    for (const [text, value] of Object.entries(SPELLINGS)) {
      expect(decimalOf(text), text).toBe(value);
      // Beside others, blanks around a number are no part of it.
      const isRead = decimalOf(text.trim()) !== null;
      expect(decimalsOf(`${text},2`, 2), text).toEqual(isRead ? [Number(text), 2] : null);
    }
    for (const text of ['1', '1,2,3', '1,,2', ',1', '1,', ',']) {
      expect(decimalsOf(text, 2), text).toBeNull();
    }
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e99, max: 1e99 }), (value) => {
        fc.pre(value === 0 || Math.abs(value) > 1e-99);
        expect(decimalOf(String(value))).toBe(value + 0);
      }),
    );
    const text = { a: '1', b: '1', d: '-12', e: '012', f: '1e2' };
    const values: Record<string, unknown> = { ...text, c: ['1'] };
    const whole = { type: 'integer' };
    const properties = {
      ...{ a: { type: 'number' }, b: { type: 'string' }, c: { type: 'number' } },
      ...{ d: whole, e: whole, f: whole },
    };
    coerceNumbers(values, numbersOf({ properties }));
    expect(values).toEqual({ a: 1, b: '1', c: ['1'], d: -12, e: '012', f: '1e2' });
  });
});

describe('a JSON body', () => {
  test('without repeated keys is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        if (text.includes('__proto__')) return;
        expect(parseJsonBody(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('with a key written twice in one object is refused wherever it stands', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue({ maxDepth: 3 }), (key, value) => {
        const name = JSON.stringify(key);
        const inner = JSON.stringify(value);
        const text = `[{"a":[${inner}]},{${name} : ${inner},"b1":{${name}:1},\n${name}\t:2}]`;
        expect(() => parseJsonBody(Buffer.from(text))).toThrow(
          /more than once|property named __proto__/,
        );
      }),
    );
  });
});

// Of one rung: test/store-contract/http.test.ts and address-service.test.ts.
test('provenance headers name all rungs, and the age of the oldest layer used', () => {
  const provenance = [
    { rung: 'stale', ageS: 71.2 },
    { rung: 'origin', ageS: 5.9 },
  ] as const;
  expect(provenanceHeaders({ generation: 3, provenance })).toMatchObject({
    'cache-status': 'geoopslag; fwd=miss; detail="origin stale"',
    'x-service-data-age': '71',
  });
});

describe('the standard headers', () => {
  test.each([
    ['/v1/x?token=svc_test_a', 'test'],
    ['/v1/x?lon=1&token=svc_pub_test_a', 'test'],
    ['/v1/x?token=svc_live_a', undefined],
    ['/v1/x?mytoken=svc_test_a', undefined],
  ])('tell of %s the environment %s', (url, environment) => {
    expect(standardHeaders('id', { headers: {}, url })['x-service-environment']).toBe(environment);
  });
});

describe('the log', () => {
  test('blots out keys in addresses inside error texts', () => {
    expect(redact('GET https://a.example/x?apikey=abc&b=1#c')).toBe(
      'GET https://a.example/x?apikey=[redacted]&b=1#c',
    );
    expect(redact('"?TOKEN=abc"')).toBe('"?TOKEN=[redacted]"');
    expect(redact('x%3Fapi_key%3Dabc')).toBe('x%3Fapi_key%3D[redacted]');
    expect(redact('tokens=3')).toBe('tokens=3');
  });
});
