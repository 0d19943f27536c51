/**
 * Every condition behind two other servers, real rows where there are some and the sample's elsewhere: MapServer as GML 3.2
 * in pages, its axes in three orders and null as empty text; and GeoJSON as a GeoServer writes it. Both give the same answers.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import type { Catalogue } from '../../src/layers/catalogue.ts';
import { CONDITIONS, CONDITION_IDS, conditionId } from '../../src/layers/conditions/index.ts';
import type { Condition } from '../../src/layers/conditions/condition.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { conditions } from '../../src/registers/conditions/register.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { syncLayer } from '../../sync/run.ts';
import { conditionFeatures } from '../../sample/data/conditions.ts';
import { valueText } from '../../sample/data/feature.ts';
import { startGeoJsonWfs } from '../support/geojson-wfs.ts';
import type { GeoJsonWfs } from '../support/geojson-wfs.ts';
import { storeLookups } from '../support/lookups.ts';
import { serveMaps } from '../support/mapserver.ts';
import type { MapFolder } from '../support/mapserver.ts';
import { describeReal, ogr2ogr, realFile } from '../support/real-data.ts';
import { told } from '../support/run-outcome.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import type { SyncBench } from '../support/sync-bench.ts';

const REAL: Readonly<Record<string, readonly string[]>> = {
  lokalplan: ['lokalplan_vedtaget_hvidovre_2026-04_fuld'],
  lokalplan_forslag: ['lokalplan_forslag_hvidovre_2025-11_fuld'],
  jord_v1: ['dkjord_v1_hvidovre_2026'],
  jord_v2: ['dkjord_v2_hvidovre_2026'],
  drikkevandsinteresse: ['drikkevandsinteresser_albertslund_2026'],
  kloakopland: ['kloakopland_ukloakeret_hvidovre_2026'],
  habitatomraade: ['habitatomraade_127_hvidovre_2026'],
};
/** Metres east first, degrees north first, metres north first. */
const FRAMES = ['EPSG:25832', 'urn:ogc:def:crs:EPSG::4326', 'urn:ogc:def:crs:EPSG::3044'];
const POINTS = 12;

interface Feature {
  readonly type: 'Feature';
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: { readonly coordinates: readonly unknown[] };
}

/** In EPSG:25832. */
function featuresOf(condition: Condition, dir: string): readonly Feature[] {
  const files = REAL[condition.key];
  if (files === undefined) {
    return conditionFeatures(conditionId(condition.key)).map(({ properties, geometry }) => ({
      type: 'Feature',
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [
          name,
          typeof value === 'object' && value !== null ? Number(valueText(value)) : value,
        ]),
      ),
      geometry: geometry!,
    }));
  }
  return files.flatMap((file) => {
    const target = join(dir, `${file}.json`);
    const source = `/vsigzip/${realFile(`conditions/${file}.geojson.gz`)}`;
    ogr2ogr(
      ...['-f', 'GeoJSON', target, source, '-t_srs', 'EPSG:25832', '-dim', 'XY'],
      ...['-nlt', 'PROMOTE_TO_MULTI', '-lco', 'COORDINATE_PRECISION=9'],
      ...['-oo', 'DATE_AS_STRING=YES'],
    );
    return (JSON.parse(readFileSync(target, 'utf8')) as { features: Feature[] }).features;
  });
}

function mapFile(host: string, url: string, data: string): string {
  const own = CONDITIONS.filter(({ source }) => source.host === host);
  const prefix = own[0]!.source.typeName.split(':')[0]!;
  const layers = own.map(
    ({ key, source }) => `LAYER
NAME "${source.typeName.split(':')[1]}" TYPE POLYGON STATUS ON CONNECTIONTYPE OGR CONNECTION "${data}" DATA "${key}"
PROJECTION "init=epsg:25832" END
METADATA "wfs_title" "${key}" "wfs_srs" "EPSG:25832 EPSG:4326 EPSG:3044" "wfs_geometry_precision" "11"
"gml_include_items" "all" "gml_types" "auto" "gml_featureid" "${source.keyProperty}"
"gml_geometries" "${source.geometryProperty}" "gml_${source.geometryProperty}_type" "multipolygon" END END`,
  );
  return `MAP NAME "${host}" EXTENT 400000 6000000 950000 6450000 PROJECTION "init=epsg:25832" END WEB METADATA
"ows_enable_request" "*" "wfs_title" "${host}" "wfs_onlineresource" "${url}/${host}?" "wfs_encoding" "UTF-8"
"wfs_srs" "EPSG:25832 EPSG:4326 EPSG:3044" "wfs_namespace_prefix" "${prefix}" "wfs_namespace_uri" "urn:test:${prefix}"
END END ${layers.join('\n')} END`;
}

describeReal('conditions behind two other servers', ['mapserver', 'gdal', 'postgres'], () => {
  let dir: string;
  let maps: MapFolder;
  let geoServer: GeoJsonWfs;
  let benches: readonly [SyncBench, SyncBench];
  let catalogues: readonly [Catalogue, Catalogue];
  const rows = new Map<string, readonly Feature[]>();

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'geoopslag-conditions-'));
    const data = join(dir, 'all.gpkg');
    for (const [n, condition] of CONDITIONS.entries()) {
      const features = featuresOf(condition, dir);
      rows.set(condition.key, features);
      const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25832' } };
      const file = join(dir, `${condition.key}.geojson`);
      writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', crs, features }));
      ogr2ogr(
        ...['-f', 'GPKG', data, file, ...(n > 0 ? ['-update'] : []), '-nln', condition.key],
        ...['-nlt', 'PROMOTE_TO_MULTI', '-lco', 'FID=ogc_fid', '-oo', 'DATE_AS_STRING=YES'],
      );
    }
    maps = await serveMaps(dir);
    const { url } = maps;
    for (const host of new Set(CONDITIONS.map(({ source }) => source.host))) {
      writeFileSync(join(dir, `${host}.map`), mapFile(host, url, data));
    }
    geoServer = await startGeoJsonWfs();
    benches = await Promise.all([openSyncBench(), openSyncBench()]);
    const guards = { minRows: 1 };
    const overrides = CONDITIONS.map(({ key, source }, n) => {
      const pageSize = Math.max(4, Math.ceil(rows.get(key)!.length / 3.5));
      const gml = {
        ...{ url: `${url}/${source.host}`, format: 'gml' as const, pageSize, tries: 1 },
        srsName: FRAMES[n % FRAMES.length]!,
      };
      const json = { url: geoServer.url, pageSize, tries: 1 };
      return [conditionId(key), { gml, json }] as const;
    });
    catalogues = (['gml', 'json'] as const).map((kind) =>
      overrideCatalogue(
        REGISTERS_CATALOGUE,
        Object.fromEntries(overrides.map(([id, of]) => [id, { source: of[kind], guards }])),
      ),
    ) as unknown as typeof catalogues;
  });

  afterAll(async () => {
    await Promise.all([...benches, geoServer, maps].map((each) => each.close()));
  });

  it.each(CONDITION_IDS)('mirrors %s from both, every row of it read', async (id) => {
    const { source } = CONDITIONS.find(({ key }) => conditionId(key) === id)!;
    geoServer.features = rows.get(id.slice('forhold_'.length))!.map((row, n) => ({
      ...{ type: 'Feature', id: `${source.typeName.split(':')[1]}.${n}`, bbox: [0, 0, 1, 1] },
      ...{ geometry: row.geometry, geometry_name: source.geometryProperty },
      properties: Object.fromEntries(Object.entries(row.properties).map(asTyped)),
    }));
    for (const [n, bench] of benches.entries()) {
      const outcome = await syncLayer({ ...bench.deps, catalogue: catalogues[n]! }, id, {
        ...{ trigger: 'command', liftedGuards: LIFTABLE_GUARDS },
      });
      expect([n, told(outcome)]).toEqual([n, 'published']);
      expect([n, 'counts' in outcome && outcome.counts]).toMatchObject([
        n,
        { received: geoServer.features.length, unreadable: 0, outsideDenmark: 0, lostInRepair: 0 },
      ]);
    }
  });

  it.each(CONDITIONS)('answers the same of $key', async ({ key }) => {
    const features = rows.get(key)!;
    const points = Array.from({ length: POINTS }, (_, n) => {
      const { geometry } = features[Math.floor((n * features.length) / POINTS)]!;
      const [x = 0, y = 0] = (geometry.coordinates as number[][][][]).flat(2)[0]!;
      return pointFromUtm32({ xUtm32: x + 3 * (n % 5) - 5, yUtm32: y + 2 * (n % 7) - 6 });
    });
    const [one, other] = await Promise.all(
      benches.map(async ({ store, deps }, n) => {
        const options = { catalogue: catalogues[n]!, clock: deps.clock };
        const deadline = { signal: AbortSignal.timeout(HANG_MS) };
        const lookups = storeLookups(store, options).lookupsOf(conditions).conditions;
        return (await lookups.at(points, [key], deadline)).answers.map(({ layers }) =>
          comparable(layers[key]),
        );
      }),
    );
    expect(one).toEqual(other);
    if (key !== 'zone') expect(JSON.stringify(one)).toContain('"inden_for":true');
  });
});

/** Days and truths as GeoServer writes those that its database has as such. */
function asTyped([name, value]: readonly [string, unknown]): readonly [string, unknown] {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(String(value)) ?? [];
  if (name.startsWith('dato') && year !== undefined) return [name, `${year}-${month}-${day}Z`];
  return [name, value === 'true' ? true : value === 'false' ? false : value];
}

/** Without what two servers write differently: their addresses, and the last digits of a place in degrees. */
function comparable(layer: unknown): unknown {
  return JSON.parse(JSON.stringify(layer), (name, value: unknown) => {
    if (name === 'kilde' || name === 'alder_s' || name === 'objektets_areal_m2') return null;
    return name === 'afstand_m' && typeof value === 'number' ? Math.round(value) : value;
  }) as unknown;
}
