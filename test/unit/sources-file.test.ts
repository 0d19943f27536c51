/** SOURCES_FILE: one file in which an operator overrides addresses, files, limits and guards. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/kernel/limits.ts';
import { allLayers, overrideCatalogue } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE, sourcesOf } from '../../src/registers.ts';
import type { Catalogue } from '../../src/layers/catalogue.ts';
import { toUtm32 } from '../../src/geo/project.ts';
import { THEMES } from '../../src/layers/keys.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { positionsOf } from '../support/layer-fixture.ts';
import { ownFolder } from '../support/opened.ts';

const dir = ownFolder('sources');

function catalogueWith(overrides: unknown): Catalogue {
  const path = join(dir, 'sources.json');
  writeFileSync(path, JSON.stringify(overrides));
  return overrideCatalogue(REGISTERS_CATALOGUE, sourcesOf(path).overrides);
}

describe('a file of sources', () => {
  test('changes what it names and leaves the rest', () => {
    const { kommune, region, sogn } = catalogueWith({
      sogn: { files: null },
      kommune: {
        files: { format: 'json', versions: ['3'], minBytes: 5 },
        guards: { maxAreaDropShare: 0.01, knownPlaces: [{ code: '0101', lon: 12.5, lat: 55.7 }] },
      },
    }).areas;
    const standard = REGISTERS_CATALOGUE.areas;
    expect(kommune.files).toEqual({
      ...standard.kommune.files,
      format: 'json',
      versions: ['3'],
      minBytes: 5,
    });
    expect(kommune.source).toEqual(standard.kommune.source);
    expect(kommune.guards).toEqual({
      ...standard.kommune.guards,
      maxAreaDropShare: 0.01,
      knownPlaces: [{ code: '0101', lon: 12.5, lat: 55.7 }],
    });
    expect(region).toEqual(standard.region);
    expect(sogn).toEqual({ ...standard.sogn, files: null });
  });

  test('takes the scale of a server of several, or that it holds one only', () => {
    const { kommune, sogn } = catalogueWith({
      kommune: { source: { dagiScale: null }, files: { dagiScale: null } },
      sogn: { source: { dagiScale: '1:250.000' } },
    }).areas;
    expect([kommune.source.dagiScale, kommune.files?.dagiScale]).toEqual([null, null]);
    expect(sogn.source.dagiScale).toBe('1:250.000');
  });

  test.each([
    { soe: { guards: { minRows: 0 } } },
    { adresser: { guards: { minRows: 0 } } },
    { adresser: { tables: { Husnummer: { guards: { minRows: 0 } } } } },
  ])('lets nothing come empty: %j', (overrides) => {
    expect(() => catalogueWith(overrides)).toThrow(
      /minRows: must be >= 1: a source without a single row is never believed/,
    );
  });

  test('gives a live answer the time it has', () => {
    const { soe } = catalogueWith({ soe: { source: { pointTimeoutMs: 8_000 } } }).lines;
    expect(soe.source.pointTimeoutMs).toBe(LIMITS.originDeadlineMs);
    expect(() => catalogueWith({ soe: { source: { pointTimeoutMs: 9_000 } } })).toThrow(
      'SOURCES_FILE, soe/source/pointTimeoutMs: must be <= 8000: a live answer has 8000 ms in all.',
    );
  });

  test('changes the files of all tables of the addresses, and of one on top of that', () => {
    const { registers } = catalogueWith({
      adresser: {
        freshness: { limitS: 60 },
        files: { listUrl: 'https://spejl.example/liste', tries: 2 },
        guards: { minRows: 7 },
        tables: {
          Husnummer: { source: { tries: 3 }, guards: { minRows: 9 } },
          Ejendomsbeliggenhed: { source: null },
        },
      },
    });
    const standard = REGISTERS_CATALOGUE.registers.adresser;
    const { freshness, tables } = registers.adresser;
    expect(freshness).toEqual({ ...standard.freshness, limitS: 60 });
    const { Husnummer, Adresse, Ejendomsbeliggenhed } = tables;
    expect(Adresse?.source).toEqual({
      ...standard.tables['Adresse']?.source,
      listUrl: 'https://spejl.example/liste',
      tries: 2,
    });
    expect(Husnummer?.source).toMatchObject({ listUrl: 'https://spejl.example/liste', tries: 3 });
    expect([Husnummer?.guards.minRows, Adresse?.guards.minRows]).toEqual([9, 7]);
    expect(Ejendomsbeliggenhed?.source).toBeNull();
  });

  test('says per table of BBR and of the cadastre what its files hold and how large they may be', () => {
    const { registers } = catalogueWith({
      bbr: { tables: { Bygning: { source: { contents: 'Bitemporal', format: 'json' } } } },
      matrikel: {
        files: { versions: ['3'] },
        tables: { Jordstykke: { source: { maxBytes: 5_000_000_000 } }, Lodflade: { source: null } },
      },
    });
    const { Bygning, Enhed } = registers.bbr.tables;
    expect(Bygning?.source).toMatchObject({ contents: 'Bitemporal', format: 'json' });
    expect(Enhed?.source).toEqual(REGISTERS_CATALOGUE.registers.bbr.tables['Enhed']?.source);
    const { Jordstykke, Lodflade } = registers.matrikel.tables;
    expect(Jordstykke?.source).toMatchObject({ maxBytes: 5_000_000_000, versions: ['3'] });
    expect(Lodflade?.source).toBeNull();
  });

  test.each([
    ['contents nobody delivers', { bbr: { files: { contents: 'Alt' } } }],
    ['a table nobody knows', { adresser: { tables: { Vej: { source: null } } } }],
    [
      'a key in an address of the tables',
      { adresser: { files: { fetchUrl: 'https://x.dk/?k=1' } } },
    ],
    ['a key in an address', { kommune: { files: { listUrl: 'https://x.dk/list?apikey=1' } } }],
    ['a format that is not read', { kommune: { files: { format: 'csv' } } }],
    ['no version at all', { kommune: { files: { versions: [] } } }],
    ['a field nobody knows', { kommune: { files: { adresse: 'https://x.dk' } } }],
    ['a share above all', { soe: { guards: { maxDropShare: 2 } } }],
    ['a scale of what has none', { soe: { source: { dagiScale: null } } }],
    ['a scale that is none', { kommune: { source: { dagiScale: '250.000' } } }],
    ['more of all at once than their coverage', { alle: { guards: { minRows: 1 } } }],
    ['a place that is none', { kommune: { guards: { knownPlaces: [{ code: '1', lon: 0 }] } } }],
  ])('with %s stops the start and says where', (_what, overrides) => {
    expect(() => catalogueWith(overrides)).toThrow(
      /^SOURCES_FILE, (kommune|soe|adresser|bbr|alle)/,
    );
  });
});

test('the example in the documents is taken as it stands, with a layer of each register', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/sources-file.md'), 'utf8');
  const [, example = ''] = /```json\n([^]*?)```/.exec(text) ?? [];
  const named = JSON.parse(example) as Record<string, unknown>;
  const catalogue = catalogueWith(named);
  const { areas, registers } = catalogue;
  const layers = allLayers(catalogue).filter(({ id }) => id in named);
  const hosts = new Set(layers.map(({ source }) => source.host));
  expect([...hosts].sort()).toEqual(['cadastre', 'dagi', 'dkjord', 'heritage', 'portal']);
  expect(layers.map(({ source }) => source.url)).toContain('https://wfs.example.dk/portal/wfs');
  expect(areas.kommune.source.dagiScale).toBeNull();
  expect(areas.postnummer.files?.listUrl).toBe('https://filer.example.dk/liste');
  expect(registers.adresser.tables['Ejendomsbeliggenhed']?.source).toBeNull();
});

test('the conditions of a host are changed at once, and one of them on top of that', () => {
  const url = 'https://wfs.example.dk/plandata/wfs';
  const { conditions } = catalogueWith({
    forhold: { plandata: { source: { url } }, grukos: { off: true } },
    forhold_zone: { source: { pageSize: 7 } },
    forhold_indsatsomraade: { off: false },
  });
  for (const { id, source, off = false } of Object.values(conditions)) {
    const isLeftOut = source.host === 'grukos' && id !== 'forhold_indsatsomraade';
    expect([id, off]).toEqual([id, isLeftOut]);
    expect([id, source.url === url]).toEqual([id, source.host === 'plandata']);
    const before = REGISTERS_CATALOGUE.conditions[id]?.source.typeName;
    expect([id, source.typeName]).toEqual([id, before]);
  }
  expect(conditions.forhold_zone).toMatchObject({ source: { url, pageSize: 7 } });
  const wrongs = [{ portalen: {} }, { grukos: { source: { typeName: 'x' } } }, { grukos: 1 }];
  for (const forhold of wrongs)
    expect(() => catalogueWith({ forhold })).toThrow(/^SOURCES_FILE, forhold/);
});

test('each theme comes as a file of the register by its own name', () => {
  for (const theme of THEMES) {
    const { files, source } = REGISTERS_CATALOGUE.areas[theme];
    expect(`dagi10:${files?.entity}`).toBe(source.typeName);
    expect(files?.listUrl).toMatch(/^https:\/\/api\.datafordeler\.dk\/FileDownloads\/v2\.0\//);
    expect(files?.fetchUrl).toMatch(/^https:\/\/api\.datafordeler\.dk\/FileDownloads\/v1\.0\//);
  }
});

test('no layer and no table may come empty', () => {
  for (const catalogue of [REGISTERS_CATALOGUE, sampleCatalogue('http://127.0.0.1:1')]) {
    const tables = Object.values(catalogue.registers.adresser.tables);
    for (const { guards } of [...allLayers(catalogue), ...tables]) {
      expect(guards.minRows).toBeGreaterThanOrEqual(1);
    }
  }
});

describe('what a source covers', () => {
  const ring = positionsOf([12, 55.5, 12.5, 55.5, 12.5, 55.8, 12, 55.8, 12, 55.5]);
  const inner = ring.map(([lon, lat]) => [12.25 + (lon - 12.25) / 2, 55.65 + (lat - 55.65) / 2]);
  const polygon = { type: 'Polygon', coordinates: [ring] };

  test('is a list of municipalities, once each', () => {
    const { lines } = catalogueWith({
      skov: { coverage: { municipalities: ['0201', '0190', '0201'] } },
    });
    expect(lines.skov.coverage).toEqual({
      kind: 'municipalities',
      name: 'kommunerne 0190 og 0201',
      codes: ['0190', '0201'],
    });
    expect(lines.natur.coverage).toBeNull();
  });

  test('is a polygon in degrees, which is worked with in metres', () => {
    const { registers } = catalogueWith({ adresser: { coverage: { name: 'Sjælland', polygon } } });
    const { coverage } = registers.adresser;
    expect(coverage).toMatchObject({ kind: 'polygon', name: 'Sjælland' });
    const [border = []] = coverage?.kind === 'polygon' ? coverage.borders : [];
    expect(border).toHaveLength(10);
    expect(border[0]).toBeCloseTo(toUtm32({ lon: 12, lat: 55.5 }).xUtm32, 6);
  });

  test('may have holes, and parts side by side', () => {
    const beside = ring.map(([lon, lat]) => [lon + 0.5, lat]);
    const coverage = { polygon: { type: 'MultiPolygon', coordinates: [[ring, inner], [beside]] } };
    expect(catalogueWith({ skov: { coverage } }).lines.skov.coverage).toMatchObject({
      name: 'en del af landet',
      borders: [{}, {}, {}],
    });
  });

  test('is said of all at once, and of one on top of that', () => {
    const coverage = { municipalities: ['0190'] };
    const path = join(dir, 'sources.json');
    writeFileSync(
      path,
      JSON.stringify({ alle: { coverage }, kommune: { coverage: null }, dhm: {} }),
    );
    const { overrides, live } = sourcesOf(path);
    const { lines, areas, registers } = overrideCatalogue(sampleCatalogue('http://x'), overrides);
    for (const each of [
      ...Object.values(lines),
      areas.sogn,
      ...Object.values(registers),
      live['dhm'] as { coverage: unknown },
    ]) {
      expect(each.coverage).toMatchObject({ codes: ['0190'] });
    }
    expect(areas.kommune.coverage).toBeNull();
  });

  const area = (...coordinates: unknown[]) => ({ polygon: { type: 'Polygon', coordinates } });
  const several = { polygon: { type: 'MultiPolygon', coordinates: [[ring], [inner]] } };
  const many = Array.from({ length: 2_001 }, () => [12, 55]);
  const turned = ring.map(([lon, lat]) => [lat, lon]);
  const crossing = [ring[0], ring[2], ring[1], ring[3], ring[0]];
  test.each([
    ['corners the wrong way round', area(turned), /is no \[longitude, latitude\] near Denmark/],
    ['a ring that stays open', area(ring.slice(0, -1)), /must end where it begins/],
    ['a ring that crosses itself', area(crossing), /may not cross/],
    ['a hole outside', area(inner, ring), /hole must lie within/],
    ['parts in one another', several, /may not lie in one another/],
    ['too many corners', area(many), /may have 2000 corners; this one has 2001/],
    ['no code', { municipalities: ['190'] }, /SOURCES_FILE, skov\/coverage/],
    ['an empty list', { municipalities: [] }, /SOURCES_FILE, skov\/coverage/],
    ['both', { municipalities: ['0190'], polygon }, /SOURCES_FILE, skov\/coverage/],
    ['something else', 'Sjælland', /SOURCES_FILE, skov\/coverage/],
  ])('is refused: %s', (_, coverage, message) => {
    expect(() => catalogueWith({ skov: { coverage } })).toThrow(message);
  });
});
