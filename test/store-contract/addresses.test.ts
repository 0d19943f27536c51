/** The addresses of the sample, mirrored from its file downloads: totals, deltas, and what is refused. */
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ADDRESS_REGISTER } from '../../src/registers/addresses/mirror.ts';
import { ADDRESSES } from '../../src/layers/keys.ts';
import { standingOf } from '../../src/core/standing/standing.ts';
import { readLayerFacts } from '../../src/ops/freshness.ts';
import { readPublished } from '../../src/core/published.ts';
import { readNearestAddresses } from '../../src/registers/addresses/reverse-store.ts';
import { createArchive, readManifest, runsIn } from '../../sync/archive.ts';
import { isDue } from '../../sync/due.ts';
import { syncLayer } from '../../sync/run.ts';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { contentOf, currentRow, openAddressBench } from '../sync/addresses-bench.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openAddressBench());
const first = await bench.sync();
afterEach(() => bench.shelf.spoil());

const { accessId, roadId, unitId, roadName, formerRoadName } = KNOWN_ADDRESS;

const content = () => contentOf(bench, 'adresser', ['address_former', 'address_source']);

const rowOf = (entity: SampleEntity, id: string) => currentRow(bench, entity, id);

const leftovers = () =>
  bench.column("select relname from pg_class where relname ~ '^address_.*_run_' and relkind = 'r'");

describe('a first sync', () => {
  test('publishes every table whole, under one version', async () => {
    expect(told(first)).toBe('published');
    expect(first).toMatchObject({ publication: { layer: 'adresser', version: 1 } });
    const counts = await bench.column(`
      select count(*)::int from address_access union all select count(*)::int from address_unit`);
    expect(counts).toEqual([1_193, 2_052]);
    expect(await leftovers()).toEqual([]);
  });

  test('takes of each row what is true now, and keeps what was before', async () => {
    expect(await bench.column(`select name from address_road where id = '${roadId}'`)).toEqual([
      roadName,
    ]);
    expect(await bench.column(`select name from address_former where id = '${roadId}'`)).toEqual([
      formerRoadName,
    ]);
    const text = `select house_number || ' ' || ST_AsText(geom) || ' ' || parcel_id
      from address_access a join address_point p on p.id = a.point_id
      where a.id = '${accessId}'`;
    expect(await bench.column(text)).toEqual(['12A POINT(650040.5 6314025.25) 9600001']);
    expect(
      await bench.column(`select floor || door from address_unit where id = '${unitId}'`),
    ).toEqual(['2tv']);
  });

  test('gives a point outside Denmark no place', async () => {
    const [nowhere] = await bench.column(
      'select count(*)::int from address_point where geom is null',
    );
    expect(nowhere).toBe(first.state === 'published' ? first.counts.outsideDenmark : -1);
    expect(nowhere).toBeGreaterThan(0);
  });
});

describe('a delta', () => {
  test('changes the rows it names, and keeps the name a road had', async () => {
    const other = bench.shelf.rows('NavngivenVej').at(-1)!;
    const day = '2026-11-02T00:00:00.000000Z';
    bench.shelf.change('NavngivenVej', {
      at: day,
      close: [other],
      open: [
        { ...other, virkningTil: day },
        { ...other, virkningFra: day, vejnavn: 'Omdøbt Prøvevej', vejadresseringsnavn: null },
      ],
    });
    const unit = rowOf('Adresse', unitId);
    bench.shelf.change('Adresse', {
      at: day,
      close: [unit],
      open: [{ ...unit, virkningFra: day, doerbetegnelse: '0TH' }],
    });
    expect(told(await bench.sync())).toBe('published');
    const names = `select name from address_road where id = '${other['id_lokalId']}'
      union all select name from address_former where id = '${other['id_lokalId']}'`;
    expect(await bench.column(names)).toEqual(['Omdøbt Prøvevej', other['vejnavn']]);
    const doors = `select door from address_unit where id = '${unitId}'
      union all select door from address_former where id = '${unitId}'`;
    expect(await bench.column(doors)).toEqual(['0th', 'tv']);
    expect(told(await bench.sync())).toBe('unchanged');
  });

  test('that tells what is known already, or ends what never began, loses nothing', async () => {
    const before = await content();
    const access = rowOf('Husnummer', accessId);
    const stranger = { ...access, id_lokalId: '00000000-0000-4000-8000-00000000dead' };
    const late = { ...access, husnummertekst: '099' };
    bench.shelf.change('Husnummer', { at: '2026-11-03T00:00:00Z', close: [stranger], open: [] });
    // An opening registered before the row that is there: it comes too late to count.
    bench.shelf.change('Husnummer', { at: '2017-01-01T00:00:00Z', open: [late] });
    expect(await bench.sync()).toMatchObject({ state: 'unchanged', counts: { received: 2 } });
    const rows = await content();
    expect(rows.split(',').slice(0, -1)).toEqual(before.split(',').slice(0, -1));
    expect(
      await bench.column("select generation::int from address_source where entity = 'Husnummer'"),
    ).toEqual([692]);
  });

  test('takes away an address whose registration ends, and brings it back', async () => {
    const count = () =>
      bench.column(`select count(*)::int from address_unit where id = '${unitId}'`);
    const unit = rowOf('Adresse', unitId);
    bench.shelf.change('Adresse', { at: '2026-11-04T00:00:00Z', close: [unit], open: [] });
    expect(told(await bench.sync())).toBe('published');
    expect(await count()).toEqual([0]);
    bench.shelf.change('Adresse', { at: '2026-11-05T00:00:00Z', open: [unit] });
    expect(told(await bench.sync())).toBe('published');
    expect(await count()).toEqual([1]);
  });
});

test('a total whose addresses refer to roads that are not there is refused', async () => {
  bench.shelf.renew('Husnummer');
  bench.shelf.spoil({
    rows: (entity, rows) =>
      entity === 'Husnummer'
        ? rows.map((row) => ({ ...row, navngivenVej: '00000000-0000-4000-8000-00000000beef' }))
        : rows,
  });
  const lifted = ['row-drop', 'change-share', 'min-rows'];
  expect(told(await bench.sync({ liftedGuards: lifted }))).toBe('refused: references');
});

describe('a date that a file knows ahead', () => {
  const DAY_MS = 24 * 3600_000;
  const { freshness } = ADDRESS_REGISTER;
  const road = () =>
    bench.shelf
      .rows('NavngivenVej')
      .find(
        (row) =>
          row['id_lokalId'] === roadId &&
          row['registreringTil'] === null &&
          row['virkningTil'] === null,
      )!;
  const nameOf = () => bench.column(`select name from address_road where id = '${roadId}'`);
  /** As what any question would be answered, by the store's own word of the copy. */
  const rungAt = async (nowMs: number) => {
    const { copy } = await readNearestAddresses(bench.store, [], 100);
    const { versions } = await readPublished(bench.store, ['adresser']);
    expect(versions[0]?.outdatedAtMs).toBe(copy?.outdatedAtMs);
    return standingOf(copy, freshness, { nowMs, by: 'store' }).last?.rung;
  };
  let atMs: number;
  let before: readonly unknown[];

  test('shows nothing early, and what ends then is true until then', async () => {
    atMs = bench.deps.clock.nowMs() + DAY_MS;
    before = await nameOf();
    const at = new Date(atMs).toISOString();
    const row = road();
    bench.shelf.change('NavngivenVej', {
      at: new Date(atMs - 2 * DAY_MS).toISOString(),
      close: [row],
      open: [
        { ...row, virkningTil: at },
        { ...row, virkningFra: at, vejnavn: 'Kommende Prøvevej', vejadresseringsnavn: null },
      ],
    });
    await bench.sync();
    expect(await nameOf()).toEqual(before);
    expect(
      await bench.column(`select count(*)::int from address_road where name like 'Kommende%'
        union all select count(*)::int from address_former where name like 'Kommende%'`),
    ).toEqual([0, 0]);
    expect(await rungAt(bench.deps.clock.nowMs())).toBe('store');
  });

  test('is late from its instant on, and still answers as it was (D130)', async () => {
    expect(await rungAt(atMs - 1)).toBe('store');
    expect(await rungAt(atMs)).toBe('stale');
    bench.advance(DAY_MS);
    expect(await nameOf()).toEqual(before);
    const { layers } = await readLayerFacts(bench.store);
    expect(isDue('adresser', layers.get('adresser')!, atMs)).toBe(true);
  });

  test('stays late while no total is listed, and is over with the next reading', async () => {
    bench.shelf.spoil({
      listing: (entries) =>
        entries.filter(({ fileName }) => !fileName.includes('_NavngivenVej_TotalDownload_')),
    });
    expect(told(await bench.sync())).toBe('refused: listing');
    expect(await rungAt(bench.deps.clock.nowMs())).toBe('stale');
    bench.shelf.spoil();
    expect(told(await bench.sync())).toBe('published');
    expect(await nameOf()).toEqual(['Kommende Prøvevej']);
    expect(await rungAt(bench.deps.clock.nowMs())).toBe('store');
  });
});

describe('the property register', () => {
  const propertyOf = () =>
    bench.column(
      `select bfe::int from address_property where unit_id = '${unitId}' and status = 3 order by bfe`,
    );

  test('tells by a delta that a flat is another property now', async () => {
    expect(await propertyOf()).toEqual([KNOWN_ADDRESS.unitBfe]);
    const row = bench.shelf
      .rows('Ejendomsbeliggenhed')
      .find((each) => each['bestemtFastEjendomBFENr'] === String(KNOWN_ADDRESS.unitBfe))!;
    bench.shelf.change('Ejendomsbeliggenhed', {
      at: '2026-11-06T00:00:00.000000Z',
      close: [row],
      open: [{ ...row, bestemtFastEjendomBFENr: '9299999' }],
    });
    expect(told(await bench.sync())).toBe('published');
    expect(await propertyOf()).toEqual([9_299_999]);
  });

  test('that lists nothing holds up no address, and its table stays', async () => {
    bench.shelf.spoil({
      listing: (entries) => entries.filter(({ register }) => register !== 'EBR'),
    });
    bench.shelf.renew('Postnummer');
    expect(told(await bench.sync())).toBe('unchanged');
    expect(await propertyOf()).toEqual([9_299_999]);
  });
});

test('what was read is kept in the archive, file by file, of the last runs only', async () => {
  const dir = mkdtempSync(join(bench.store.dataDir, 'raw-'));
  const archive = createArchive({ dir, keepRuns: 1, secrets: [], log: bench.deps.log });
  const kept = () =>
    readdirSync(join(dir, 'adresser/objects'), { recursive: true }).filter((name) =>
      String(name).endsWith('.zip'),
    );
  bench.shelf.renew('Postnummer');
  bench.shelf.renew('NavngivenVej');
  const synced = () => syncLayer({ ...bench.deps, archive }, ADDRESSES, { trigger: 'command' });
  await synced();
  const [run = ''] = await runsIn(join(dir, 'adresser'));
  const { tables } = await readManifest(join(dir, 'adresser'), run);
  expect(tables?.map(({ listed }) => listed.name.split('_')[2])).toEqual([
    'Postnummer',
    'NavngivenVej',
  ]);
  expect(kept()).toHaveLength(2);
  bench.shelf.renew('SupplerendeBynavn');
  await synced();
  expect(kept()).toHaveLength(1);
  // Nothing read, nothing to keep: the last reading stays.
  await synced();
  expect(kept()).toHaveLength(1);
});

describe('a run that was killed', () => {
  test('leaves tables that the next one drops, and nothing else', async () => {
    const before = await content();
    await bench.store.pool.query('create table address_unit_run_4711 (like address_unit)');
    expect(told(await bench.sync())).toBe('unchanged');
    expect(await leftovers()).toEqual([]);
    expect(await content()).toBe(before);
  });

  test('by a signal ends as failed before anything is published', async () => {
    const before = await content();
    bench.shelf.renew('Adresse');
    const stop = new AbortController();
    const outcome = await bench.sync({
      signal: stop.signal,
      onProgress: ({ phase }) => {
        if (phase === 'check') stop.abort(new Error('stopped by a test'));
      },
    });
    expect(outcome).toMatchObject({ state: 'failed', reason: 'stopped by a test' });
    expect(await content()).toBe(before);
    expect(await leftovers()).toEqual([]);
    expect(told(await bench.sync())).toBe('unchanged');
  });
});
