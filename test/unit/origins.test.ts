import { domainToASCII } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isAllowedOrigin, parseAllowedOrigin } from '../../src/account/origins.ts';

const ALLOWED = ['example.dk', '*.kort.dk', 'localhost:5173', 'xn--rdgrd-vuad.dk'];

describe('a page is let in', () => {
  test.each([
    ['https://example.dk'],
    ['http://example.dk'],
    ['https://example.dk:443'],
    ['http://example.dk:80'],
    ['https://a.kort.dk'],
    ['https://a.b.kort.dk'],
    ['http://localhost:5173'],
    ['https://xn--rdgrd-vuad.dk'],
  ])('from the origin %s', (origin) => {
    expect(isAllowedOrigin(ALLOWED, { origin })).toBe(true);
    expect(isAllowedOrigin(ALLOWED, { referer: `${origin}/side?q=1#a` })).toBe(true);
  });

  test('from a referer of its own, whatever that asks for', () => {
    const referer = 'https://example.dk?x=https://evil.dk';
    expect(isAllowedOrigin(ALLOWED, { referer })).toBe(true);
  });
});

describe('a page is kept out', () => {
  test.each([
    ['null'],
    [''],
    ['example.dk'],
    ['https://'],
    ['https://evil-example.dk'],
    ['https://evilexample.dk'],
    ['https://example.dk.evil.com'],
    ['https://evil.com/example.dk'],
    ['https://evil.com?example.dk'],
    ['https://evil.com#example.dk'],
    ['https://example.dk@evil.com'],
    ['https://user:word@example.dk'],
    ['https://example.dk:8443'],
    ['https://example.dk:80'],
    ['http://example.dk:443'],
    ['https://example.dk:'],
    ['https://example.dk:0443'],
    ['https://example.dk:65536'],
    ['https://example.dk.'],
    ['https://EXAMPLE.dk'],
    ['HTTPS://example.dk'],
    ['https://exämple.dk'],
    ['https://exаmple.dk'],
    ['https://xn--exmple-cua.dk'],
    ['https://rødgrød.dk'],
    ['https://kort.dk'],
    ['https://.kort.dk'],
    ['https://a..kort.dk'],
    ['https://-.kort.dk'],
    ['https://evilkort.dk'],
    ['https://a.kort.dk:8443'],
    ['https://a.kort.dk.evil.com'],
    ['http://localhost'],
    ['http://localhost:5174'],
    ['https://[::1]'],
    ['https://127.0.0.1'],
    ['https://example.dk\\@evil.com'],
    ['https://example.dk%00.evil.com'],
    ['https://example.dk\n.evil.com'],
    ['https://example.dk\t'],
    [' https://example.dk'],
    ['https:\\\\example.dk'],
    ['https:/example.dk'],
    ['//example.dk'],
    ['ftp://example.dk'],
    ['file://example.dk'],
    ['chrome-extension://example.dk'],
    ['https://example.dk, https://evil.com'],
    ['https://example.dk https://example.dk'],
    [`https://${'a.'.repeat(130)}kort.dk`],
    [`https://${'a'.repeat(64)}.kort.dk`],
    [`https://${'a.'.repeat(20_000)}kort.dk`],
  ])('from %s', (origin) => {
    expect(isAllowedOrigin(ALLOWED, { origin })).toBe(false);
    if (!/^https?:\/\/example\.dk[,\s?]/.test(origin)) {
      expect(isAllowedOrigin(ALLOWED, { referer: origin })).toBe(false);
    }
  });

  test('when it says nothing of itself, or is allowed nowhere', () => {
    expect(isAllowedOrigin(ALLOWED, {})).toBe(false);
    expect(isAllowedOrigin([], { origin: 'https://example.dk' })).toBe(false);
  });

  test('by its origin, whatever its referer says', () => {
    const referer = 'https://example.dk/';
    for (const origin of ['null', '', 'https://evil.com']) {
      expect(isAllowedOrigin(ALLOWED, { origin, referer })).toBe(false);
    }
    expect(
      isAllowedOrigin(ALLOWED, { origin: 'https://example.dk', referer: 'https://evil.com/' }),
    ).toBe(true);
  });

  test.each([
    ...['https://example.dk, https://evil.com', 'https://example.dk https://evil.com/'],
    ...['https://example.dk\n.evil.com', 'https://example.dk\\@evil.com/'],
    ...['https://user@example.dk/', 'https://example.dk:8443/', 'about:client'],
  ])('from the referer %j', (referer) => {
    expect(isAllowedOrigin(ALLOWED, { referer })).toBe(false);
  });
});

describe('an allowed origin is kept', () => {
  test.each([
    ['example.dk', 'example.dk'],
    ['Example.DK', 'example.dk'],
    ['*.example.dk', '*.example.dk'],
    ['a.b-c.example.dk', 'a.b-c.example.dk'],
    ['rødgrød.dk', domainToASCII('rødgrød.dk')],
    ['*.rødgrød.dk', `*.${domainToASCII('rødgrød.dk')}`],
    ['localhost', 'localhost'],
    ['localhost:5173', 'localhost:5173'],
    ['example.dk:8443', 'example.dk:8443'],
    ['https://example.dk', 'example.dk'],
    ['https://example.dk/', 'example.dk'],
    ['HTTPS://Example.DK', 'example.dk'],
    ['https://example.dk:443', 'example.dk'],
    ['http://example.dk:80/', 'example.dk'],
    ['http://example.dk:443', 'example.dk:443'],
    ['https://rødgrød.dk:8443', `${domainToASCII('rødgrød.dk')}:8443`],
    ['http://localhost:9170', 'localhost:9170'],
    ['http://localhost:9170/', 'localhost:9170'],
    ['http://127.0.0.1:9170', '127.0.0.1:9170'],
    ['127.0.0.1:5173', '127.0.0.1:5173'],
    ['https://*.example.dk', '*.example.dk'],
  ])('%s as %s', (given, kept) => {
    expect(parseAllowedOrigin(given)).toBe(kept);
  });

  test.each([
    ...['', '*', '*.', '*.dk', '*.localhost', '*.example.dk:8443', 'a.*.example.dk', 'dk'],
    ...['https://', 'https://example.dk//', 'https://example.dk/side', 'https://example.dk?x'],
    ...['https://user@example.dk', 'https://https://example.dk', 'ftp://example.dk'],
    ...['//example.dk', 'example.dk/', 'example.dk/side', 'example.dk?x', 'example.dk#x'],
    ...['user@example.dk', 'example.dk.', '.example.dk', 'example..dk', 'example.dk:'],
    ...['example.dk:0', 'example.dk:65536', 'example.dk:80:80', '-example.dk', 'example-.dk'],
    ...['exam ple.dk', 'example.dk\n', 'exam%70le.dk', '127.0.0.2', '10.0.0.1'],
    ...['http://10.0.0.1:9170', '127.1', '*.127.0.0.1', '127.0.0.1.', '0x7f.1', '[::1]', '::1'],
    ...['null', 'example.123'],
    `${'a'.repeat(64)}.dk`,
    'a'.repeat(20_000),
  ])('never: %j', (given) => {
    expect(parseAllowedOrigin(given)).toBeNull();
  });

  test('so that a page of the same name is let in', () => {
    for (const name of [
      ...['Example.DK', 'rødgrød.dk', 'localhost', 'a.b-c.example.dk'],
      ...['localhost:9170', '127.0.0.1:9170', 'example.dk:8443'],
    ]) {
      const { origin, href } = new URL(`https://${name}`);
      for (const given of [name, origin, href]) {
        expect(isAllowedOrigin([parseAllowedOrigin(given) ?? ''], { origin }), given).toBe(true);
      }
    }
  });
});
