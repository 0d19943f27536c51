/** OWASP API2:2023, broken authentication: forged, damaged, ended and misplaced credentials. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { expectError } from '../edge/edge.ts';
import { TEN, attacked, bearer } from './attacked.ts';
import { opened } from '../support/opened.ts';

const service = await opened(attacked());
const alice = await service.customer();

/** Texts made from a key that are not it. */
const FORGERIES: Readonly<Record<string, (secret: string) => string>> = {
  'one character short': (secret) => secret.slice(0, -1),
  'one character long': (secret) => `${secret}A`,
  'another last character': (secret) => secret.slice(0, -1) + (secret.endsWith('A') ? 'B' : 'A'),
  'another case': (secret) => secret.toUpperCase(),
  'of the other environment': (secret) => secret.replace('live', 'test'),
  'said to be public': (secret) => secret.replace('svc_', 'svc_pub_'),
  'its prefix alone': (secret) => secret.slice(0, 15),
  'its digest': (secret) => createHash('sha256').update(secret).digest('hex'),
  'with letters that look alike': (secret) => secret.replace('svc', 'ѕvс'),
  'with a zero width space': (secret) => `${secret}\u200b`,
  'a kilobyte': () => `svc_live_${'A'.repeat(1024)}`,
  'five kilobytes': () => `svc_live_${'A'.repeat(5 * 1024)}`,
  'a pattern': () => 'svc_live_%',
  'a quote': () => "svc_live_' or '1'='1",
  'words of JavaScript': () => '__proto__',
};

describe.each(Object.keys(FORGERIES))('a key that is %s', (name) => {
  test('is 401 in the header and in the address, and comes back in neither', async () => {
    const forged = FORGERIES[name]!(alice.secret);
    const address = await service.app.inject(`${TEN}&token=${encodeURIComponent(forged)}`);
    expect(expectError(address, 'unauthorized')['code']).toBe('api_key_invalid');
    expect(address.body).not.toContain(forged);
    const sendable = Buffer.from(forged, 'utf8').toString('latin1');
    const header = await service.app.inject({ url: TEN, headers: bearer(sendable) });
    expect(expectError(header, 'unauthorized')['code']).toBe('api_key_invalid');
  });
});

test('what belongs elsewhere opens nothing here', async () => {
  const { token, csrfToken } = alice.browser;
  for (const wrong of [token, csrfToken, alice.keyId, alice.id]) {
    expectError(await service.app.inject({ url: TEN, headers: bearer(wrong) }), 'unauthorized');
  }
  for (const wrong of [alice.secret, csrfToken, alice.keyId]) {
    const headers = { host: 'geo.example', cookie: `svc_session=${wrong}` };
    expectError(await service.app.inject({ url: '/v1/me/keys', headers }), 'unauthorized');
    expectError(await service.app.inject({ url: TEN, headers }), 'unauthorized');
  }
  // A session is no key: lookups are billed to keys alone.
  const session = { host: 'geo.example', cookie: `svc_session=${token}` };
  expectError(await service.app.inject({ url: TEN, headers: session }), 'unauthorized');
});
