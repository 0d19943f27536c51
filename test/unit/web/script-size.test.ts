/** The compressed bytes of script that pages load before anything is asked on them. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { webBundle } from '../../../src/http/pages/bundle.ts';

test.each([
  ['forside', 25_000],
  ['kort', 150_000],
  ['konto', 30 * 1024],
  ['job', 30 * 1024],
])('%s loads fewer than %d', async (page, most) => {
  const { files, entries } = await webBundle();
  const { script = '', imports = [] } = entries.get(page) ?? {};
  const bytes = [script, ...imports].map(
    (name) => gzipSync(files.get(name) ?? '', { level: 9 }).length,
  );
  expect(bytes[0]).toBeGreaterThan(1_000);
  expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(most);
});
