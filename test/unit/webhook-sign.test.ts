/** Secrets of webhooks: how they look, and how they lie in the store. */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSealer, sealingKeyOf } from '../../src/webhooks/seal.ts';
import { newWebhookSecret, secretPrefixOf } from '../../src/webhooks/sign.ts';
import { ownFolder } from '../support/opened.ts';

const secret = newWebhookSecret();

const dir = ownFolder('seal');

test('a secret is whsec_ and base64 of 32 bytes, another each time', () => {
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newWebhookSecret()).not.toBe(secret);
  expect(secretPrefixOf(secret)).toBe(secret.slice(0, 10));
});

describe('a sealed secret', () => {
  const key = Buffer.alloc(32, 1);
  const old = Buffer.alloc(32, 2);
  const sealer = createSealer([key, old]);

  test('opens for its endpoint alone, with a key that is there', () => {
    const sealed = sealer.seal(secret, 'webhook_a');
    expect(sealed.includes(Buffer.from(secret.slice(6)))).toBe(false);
    expect(sealer.open(sealed, 'webhook_a')).toBe(secret);
    expect(sealer.open(sealed, 'webhook_b')).toBeNull();
    expect(createSealer([old]).open(sealed, 'webhook_a')).toBeNull();
    expect(sealer.isOutdated(sealed)).toBe(false);
  });

  test('opens with no bit turned, and with no byte missing', () => {
    const sealed = sealer.seal(secret, 'webhook_a');
    for (let index = 0; index < sealed.length; index++) {
      const turned = Buffer.from(sealed);
      turned[index]! ^= 1;
      expect(sealer.open(turned, 'webhook_a'), `byte ${index}`).toBeNull();
      expect(sealer.open(sealed.subarray(0, index), 'webhook_a')).toBeNull();
    }
  });
});

describe('the key of an embedded store', () => {
  test('is made once, for its owner alone, and read ever after', () => {
    const made = sealingKeyOf(dir);
    expect(made).toHaveLength(32);
    expect(sealingKeyOf(dir)).toEqual(made);
    expect(statSync(join(dir, 'webhook.key')).mode & 0o777).toBe(0o600);
  });

  test('is never made anew over a damaged one', () => {
    const path = join(dir, 'webhook.key');
    const before = readFileSync(path);
    chmodSync(path, 0o600);
    writeFileSync(path, 'damaged');
    expect(() => sealingKeyOf(dir)).toThrow('webhook.key');
    writeFileSync(path, before);
  });
});
