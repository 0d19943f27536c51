import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isId, newId } from '../../src/account/ids.ts';
import {
  KEY_CHARS,
  KEY_KINDS,
  digestBytes,
  digestOf,
  formOf,
  newSecret,
  prefixOf,
} from '../../src/account/key-format.ts';
import { ENVIRONMENTS } from '../../src/account/plans.ts';

const FORMS = KEY_KINDS.flatMap((kind) =>
  ENVIRONMENTS.map((environment) => ({ kind, environment })),
);

describe.each(FORMS)('a $kind $environment key', (form) => {
  const secret = newSecret(form);

  test('names its kind and environment, and is recognised', () => {
    const head = `svc_${form.kind === 'public' ? 'pub_' : ''}${form.environment}_`;
    expect(secret).toMatch(new RegExp(`^${head}[0-9A-Za-z]{38}$`));
    expect(formOf(secret)).toEqual(form);
    expect(prefixOf(secret)).toBe(secret.slice(0, head.length + 6));
  });

  test('is no key when one character is another, missing or too many', () => {
    for (let at = 0; at < secret.length; at += 1) {
      const other = secret[at] === 'A' ? 'B' : 'A';
      expect(formOf(secret.slice(0, at) + other + secret.slice(at + 1)), `${at}`).toBeNull();
      expect(formOf(secret.slice(0, at) + secret.slice(at + 1)), `${at}`).toBeNull();
      expect(formOf(`${secret.slice(0, at)}A${secret.slice(at)}`), `${at}`).toBeNull();
    }
  });
});

test('two keys are never alike, and their characters are spread evenly', () => {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  for (let made = 0; made < 3000; made += 1) {
    const body = newSecret({ kind: 'secret', environment: 'live' }).slice('svc_live_'.length, -6);
    seen.add(body);
    for (const char of body) counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  expect(seen.size).toBe(3000);
  expect(counts.size).toBe(62);
  const expected = (3000 * 32) / 62;
  // Six standard deviations of a fair draw.
  for (const count of counts.values()) {
    expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected));
  }
});

test('the checksum is a CRC-32 in base62, most significant first', () => {
  const secret = newSecret({ kind: 'public', environment: 'test' });
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const value = Array.from(secret.slice(-6)).reduce(
    (sum, char) => sum * 62 + digits.indexOf(char),
    0,
  );
  expect(value).toBe(crc32(secret.slice(0, -6)));
});

test.each([
  '',
  'svc_live_',
  'Bearer svc_live_',
  'sk_live_0000000000000000000000000000000000000000000',
  `svc_live_${'æ'.repeat(38)}`,
  `svc_live_${'\u0000'.repeat(38)}`,
  `svc_live_${'０'.repeat(38)}`,
  `svc_LIVE_${'0'.repeat(38)}`,
  `svc_live_${'\ud800'.repeat(38)}`,
  `svc_pub_${'0'.repeat(40)}`,
  'x'.repeat(20_000),
])('%j is no key', (text) => {
  expect(formOf(text)).toBeNull();
});

test('a long text is refused by its length alone', () => {
  const text = `svc_live_${'A'.repeat(5_000_000)}`;
  const fastestMs = (work: () => unknown): number =>
    Math.min(
      ...Array.from({ length: 20 }, () => {
        const before = performance.now();
        work();
        return performance.now() - before;
      }),
    );
  expect(formOf(text)).toBeNull();
  // Whoever looks at each letter takes as long as this at least.
  expect(fastestMs(() => formOf(text))).toBeLessThan(fastestMs(() => text.includes('B')) / 10);
  expect(KEY_CHARS).toEqual({ min: 47, max: 51 });
});

test('a digest is SHA-256', () => {
  expect(digestBytes(digestOf('abc')).toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('ids name their kind and are told from other texts', () => {
  const id = newId('key');
  expect(id).toMatch(/^key_[a-z2-7]{20}$/);
  expect(isId('key', id)).toBe(true);
  expect(isId('account', id)).toBe(false);
  expect(isId('key', id.toUpperCase())).toBe(false);
  expect(isId('key', `${id}a`)).toBe(false);
  expect(newId('account')).toMatch(/^account_[a-z2-7]{20}$/);
});
