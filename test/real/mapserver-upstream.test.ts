/**
 * The stage of the comparison in mapserver.test.ts, held to account first: Debian's MapServer hands
 * out the real extracts whole and bit for bit, and answers windows as plain PostGIS does. What it
 * does that a careless client trips over (no total on pages, empty text for null) is pinned here.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LayerId } from '../../src/layers/keys.ts';
import { layerOf } from '../../src/layers/catalogue.ts';
import { createWfsClient } from '../../src/wfs/client.ts';
import type { WfsClient } from '../../src/wfs/client.ts';
import { keysIn, startMapServer } from '../support/mapserver.ts';
import type { MapServer } from '../support/mapserver.ts';
import { Oracle } from '../support/oracle.ts';
import { describeReal, REAL_LAYERS } from '../support/real-data.ts';
import { windowsAround } from './mapserver-probes.ts';

describeReal('MapServer over the real extracts', ['mapserver', 'gdal', 'postgres'], () => {
  let upstream: MapServer;
  let oracle: Oracle;
  let client: WfsClient;

  beforeAll(async () => {
    [upstream, oracle] = await Promise.all([startMapServer(), Oracle.start({ zones: false })]);
    client = createWfsClient();
  });

  afterAll(async () => {
    await client.close();
    await Promise.all([upstream.close(), oracle.close()]);
  });

  const sourceOf = (layer: LayerId) => layerOf(upstream.catalogue, layer).source;

  async function whole(layer: LayerId): Promise<string> {
    const page = { startIndex: null, count: null, sortBy: null };
    const { bytes } = await client.fetchPage(sourceOf(layer), page);
    return Buffer.from(bytes).toString('utf8');
  }

  it.each(REAL_LAYERS)('counts the rows of $layer as the extract does', async (real) => {
    expect(await client.fetchHits(sourceOf(real.layer))).toBe(real.rows);
    const [counted] = await oracle.rows<{ rows: number }>(
      `select count(*)::integer as rows from src_${real.layer}`,
    );
    expect(counted?.rows).toBe(real.rows);
  });

  it('announces no total on its pages', async () => {
    const page = { startIndex: 4, count: 4, sortBy: 'id.lokalId' };
    const { envelope } = await client.fetchPage(sourceOf('politikreds'), page);
    expect(envelope).toMatchObject({ numberMatched: null, numberReturned: 4, members: 4 });
  });

  it.each(REAL_LAYERS)('hands out every coordinate of $layer bit for bit', async (real) => {
    const given = [...(await whole(real.layer)).matchAll(/<gml:posList[^>]*>([^<]+)</g)]
      .flatMap(([, list = '']) => pairs(list.trim().split(' ').map(Number)))
      .sort(byXThenY);
    const stored = await oracle.rows<{ x: number; y: number }>(
      `select ST_X(d.geom) as x, ST_Y(d.geom) as y
       from src_${real.layer} s, ST_DumpPoints(s.geom) d`,
    );
    const expected = stored.map(({ x, y }): [number, number] => [x, y]).sort(byXThenY);
    expect(given).toHaveLength(expected.length);
    expect(expected.filter((pair, i) => byXThenY(pair, given[i]!) !== 0)).toEqual([]);
  });

  it('keeps the Danish letters and turns null into empty text', async () => {
    const names = [...(await whole('kommune')).matchAll(/<dagi10:navn>([^<]*)</g)].map(
      ([, n]) => n,
    );
    const rows = await oracle.rows<{ navn: string }>('select navn from src_kommune');
    expect(names.sort()).toEqual(rows.map(({ navn }) => navn).sort());
    expect(names).toContain('Ærø');
    expect(await whole('natur')).toContain('<dai:Systid_til></dai:Systid_til>');
  });

  it.each(REAL_LAYERS)('answers windows on $layer as plain PostGIS does', async (real) => {
    const source = sourceOf(real.layer);
    const edges = await oracle.featureEdges(real.layer);
    for (const window of windowsAround(edges, real.rows)) {
      const inWindow = await oracle.rows<{ key: string }>(
        `select "${real.key}"::text as key from src_${real.layer}
         where ST_Intersects(ST_MakeValid(geom), ST_MakeEnvelope($1, $2, $3, $4, 25832))`,
        [window.minX, window.minY, window.maxX, window.maxY],
      );
      const answer = await client.fetchWindow(source, { select: { bbox: window } });
      expect(keysIn(answer.bytes)).toEqual(inWindow.map(({ key }) => key).sort());
    }
  });
});

function pairs(numbers: readonly number[]): [number, number][] {
  return numbers.flatMap((x, i): [number, number][] => (i % 2 === 0 ? [[x, numbers[i + 1]!]] : []));
}

function byXThenY(a: [number, number], b: [number, number]): number {
  return a[0] - b[0] || a[1] - b[1];
}
