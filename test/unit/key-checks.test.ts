/** `npm run config -- --ask` against the sample upstream, which takes one key alone. */
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { askKeys } from '../../src/start/key-checks.ts';
import { openSources } from '../../sync/open.ts';
import type { Sources } from '../../sync/open.ts';

const here = { virkLogin: null, dataDir: tmpdir() };
let sources: Sources;
beforeAll(async () => {
  const plain = { sourcesFile: null, dhmDir: null, datafordelerKey: null };
  sources = await openSources({ ...plain, ...here, sources: 'sample' });
});
afterAll(() => sources.close());

test('says of each host that wants a key whether it is taken', async () => {
  const checks = await askKeys(sources, here, systemClock);
  expect(checks.map(({ name }) => name)).toEqual([
    `key at ${new URL(sources.sampleUrl ?? '').host}`,
    ...['live dhm', 'live dhm', 'live cvr'],
  ]);
  expect(checks.filter(({ isGood }) => !isGood)).toEqual([]);
});

test('names a key that is refused, and shows none', async () => {
  const keys = Object.fromEntries(Object.keys(sources.keys).map((host) => [host, 'a-secret-key']));
  await fetch(`${sources.sampleUrl}/_faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ fault: 'unauthorized' }]),
  });
  const checks = await askKeys({ ...sources, keys }, here, systemClock);
  const failed = checks.filter(({ isGood }) => !isGood);
  expect(failed.map(({ name }) => name)).toEqual(expect.arrayContaining(['live dhm']));
  expect(failed.length).toBeGreaterThan(2);
  for (const { says } of failed) expect(says).toContain('the register refused access');
  expect(JSON.stringify(checks)).not.toContain('a-secret-key');
});
