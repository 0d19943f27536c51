import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { webBundle } from '../../../src/http/pages/bundle.ts';
import { withSchemas } from '../../../src/web/docs/references.ts';
import { HeldKey } from '../../../src/web/shared/held-key.ts';

test('/docs has each schema in the place of its reference, with its name', () => {
  const ref = (name: string) => `#/components/schemas/${name}`;
  const schemas = { Outer: { inner: { $ref: ref('Inner') } }, Inner: { type: 'string' } };
  const document = { paths: { '/a': [{ $ref: ref('Outer') }, null] }, components: { schemas } };
  const outer = { inner: { type: 'string', $$ref: ref('Inner') }, $$ref: ref('Outer') };
  expect(withSchemas(document, ['paths', '/a'])).toEqual([outer, null]);
  expect(withSchemas(document, ['paths', '/b', 'get'])).toBeNull();
});

const KEY = { id: 'key_1', secret: 'svc_test_x' };

test('a refusal stands no longer than it is told, however busy the page', async () => {
  let made = 0;
  const key = new HeldKey(() =>
    ++made === 1 ? Promise.reject(new Error('Signed out.')) : Promise.resolve(KEY),
  );
  await expect(key.secret()).rejects.toThrow('Signed out.');
  // Before any timer.
  expect(await key.secret()).toBe(KEY.secret);
  expect(await key.secret()).toBe(KEY.secret);
  expect(made).toBe(2);
});

test('a refusal rests for as long as it is told', async () => {
  let made = 0;
  const key = new HeldKey(() => Promise.reject(new Error(`Refused ${++made}.`)), 1_000);
  await expect(key.secret()).rejects.toThrow('Refused 1.');
  await expect(key.secret()).rejects.toThrow('Refused 1.');
});

/** The compressed bytes of script that pages load before anything is asked on them. */
test.each([
  ['forside', 25_000],
  ['kort', 150_000],
  ['konto', 30 * 1024],
  ['job', 30 * 1024],
])('%s loads fewer than %d', async (page, most) => {
  const { files, entries } = await webBundle();
  const { script = '', imports = [] } = entries.get(page) ?? {};
  const sizeOf = (name: string) => gzipSync(files.get(name) ?? '', { level: 9 }).length;
  const bytes = [script, ...imports].map(sizeOf);
  expect(bytes[0]).toBeGreaterThan(1_000);
  expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(most);
});
