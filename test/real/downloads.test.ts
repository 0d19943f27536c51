/** The real themes (1:2,000,000) as file downloads in all three formats, through the whole sync. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDownloads } from '../../src/downloads/client.ts';
import type { Downloads } from '../../src/downloads/client.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { Theme } from '../../src/layers/keys.ts';
import { SAMPLE_API_KEY, sampleCatalogue } from '../../sample/catalogue.ts';
import { syncLayer } from '../../sync/run.ts';
import { ownFolder } from '../support/opened.ts';
import { describeReal } from '../support/real-data.ts';
import { convertTheme, realProperties, realRows } from '../support/real-themes.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import type { SyncBench } from '../support/sync-bench.ts';

describeReal('the real themes as files', ['gdal'], () => {
  let bench: SyncBench;
  let downloads: Downloads;
  const dir = ownFolder('real-files');
  beforeAll(async () => {
    bench = await openSyncBench();
    downloads = createDownloads({ dir, clock: bench.deps.clock });
  });
  afterAll(async () => {
    await downloads.close();
    await bench.close();
  });

  const CONTENT: Readonly<Partial<Record<Theme, () => Buffer>>> = {
    region: () => Buffer.from(JSON.stringify(realRows('region', dir))),
    kommune: () => convertTheme('kommune', { dir, driver: 'GPKG' }),
    sogn: () => convertTheme('sogn', { dir, driver: 'GML', options: ['-dsco', 'FORMAT=GML3.2'] }),
  };

  test.each(['region', 'kommune', 'sogn'] as const)(
    '%s is mirrored whole under the guards of the register',
    async (theme) => {
      const content = CONTENT[theme]?.() ?? Buffer.alloc(0);
      bench.upstream.shelf.spoil({ content: () => content });
      const { guards } = REGISTERS_CATALOGUE.areas[theme];
      const catalogue = overrideCatalogue(sampleCatalogue(bench.upstream.url, { files: true }), {
        [theme]: { guards, files: { dagiScale: null, keyProperty: 'id.lokalId' } },
      });
      const keys = { dagi: SAMPLE_API_KEY, 'datafordeler-files': SAMPLE_API_KEY };
      const deps = { ...bench.deps, downloads, catalogue, keys };
      // The extract is of the old service, whose rows tell no end.
      const liftedGuards = theme === 'kommune' ? ['schema'] : [];
      const outcome = await syncLayer(deps, theme, { trigger: 'command', liftedGuards });
      if (outcome.state !== 'published') throw new Error(JSON.stringify(outcome));
      const rows = realProperties(theme);
      expect(outcome).toMatchObject({
        state: 'published',
        counts: {
          source: 'files',
          received: rows.length,
          staged: rows.length,
          placesAsked: guards.knownPlaces.length,
          placesWrong: 0,
        },
      });
    },
  );

  test('gives every municipality the region the register gives it', async () => {
    const { rows } = await bench.store.pool.query<{ code: string; region_code: string }>(
      "select code, region_code from area where theme = 'kommune'",
    );
    const wanted = realProperties('kommune').map((properties) => ({
      code: String(properties['kommunekode']).padStart(4, '0'),
      region_code: String(properties['regionskode']),
    }));
    const byCode = (a: { code: string }, b: { code: string }) => (a.code < b.code ? -1 : 1);
    expect(rows.sort(byCode)).toEqual(wanted.sort(byCode));
  });
});
