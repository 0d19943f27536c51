/**
 * Registers of the sample, from their files or pages to what is kept of them: assessments (D111 to D113), companies
 * (D116 to D118), place names (D121, D122), listed and preserved buildings; what another run makes of them; and what
 * comes spoilt, beyond the fault matrix.
 */
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Failure } from '../../src/kernel/failures.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import type { RegisterId } from '../../src/layers/keys.ts';
import { readAssessments } from '../../src/registers/assessments/store.ts';
import { companyText } from '../../src/registers/companies/answer.ts';
import { createCompanies } from '../../src/registers/companies/lookup.ts';
import { readCompany } from '../../src/registers/companies/store.ts';
import { createArchive, runsIn } from '../../sync/archive.ts';
import type { RunOutcome } from '../../sync/deps.ts';
import { replayRun } from '../../sync/replay.ts';
import { revertLayer } from '../../sync/revert.ts';
import { syncLayer } from '../../sync/run.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import type { ProtectionFaults } from '../../sample/fbb/wfs.ts';
import {
  COMPANY_ENTITIES,
  KNOWN_COMPANY,
  OTHER_UNIT_NAME,
  sampleCompanies,
} from '../../sample/registers/companies/rows.ts';
import type { SampleCompany } from '../../sample/registers/companies/rows.ts';
import { KNOWN_ASSESSMENT, KNOWN_PLACE } from '../support/known-island.ts';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import type {
  ProtectionFeature,
  ProtectionLayer,
} from '../../sample/registers/property/protection.ts';
import { contentOf, openAddressBench } from '../sync/addresses-bench.ts';
import { opened, ownFolder } from '../support/opened.ts';
import { told } from '../support/run-outcome.ts';
import { expectOneChange, isCurrent } from '../support/whole-registers.ts';

const bench = await opened(openAddressBench());
const spoilPages = (faults?: ProtectionFaults) => bench.upstream.protection.spoil(faults);
afterEach(() => {
  bench.shelf.spoil();
  spoilPages();
});

const sync = (register: RegisterId, catalogue = bench.deps.catalogue) =>
  syncLayer({ ...bench.deps, catalogue }, register, { trigger: 'command' });
const first = new Map<RegisterId, RunOutcome>();
for (const register of ['vurdering', 'cvr', 'stednavne', 'fbb', 'bbr'] as const) {
  first.set(register, await sync(register));
}

function notesOf(register: RegisterId): string {
  const outcome = first.get(register);
  expect(told(outcome)).toBe('published');
  return outcome?.state === 'published' ? outcome.counts.notes.join('\n') : '';
}

/** Tables that are there: nothing but what is kept. */
const tablesOf = (prefix: string) =>
  bench.column(
    `select relname::text from pg_class where relkind = 'r' and relname like '${prefix}%' order by 1`,
  );

type Change = (row: TableRow, place: number, rows: readonly TableRow[]) => TableRow | null;

const without =
  (column: string): Change =>
  ({ [column]: _gone, ...row }) =>
    row;
const retyped =
  (column: string, write: (value: string) => string): Change =>
  (row) => ({ ...row, [column]: write(String(row[column])) });
const only =
  (count: number): Change =>
  (row, n) =>
    n < count ? row : null;

const SPOILT: readonly (readonly [RegisterId, SampleEntity, Change, string])[] = [
  // Rows may leave it empty; that the whole column is gone is another matter.
  ['bbr', 'Bygning', without('byg026Opførelsesår'), 'schema'],
  ['vurdering', 'Ejendomsvurdering', retyped('grundværdiBeløb', (kr) => `kr. ${kr}`), 'schema'],
  ['vurdering', 'Ejendomsvurdering', only(10), 'min-rows'],
  ['stednavne', 'Stednavn', only(10), 'min-rows'],
  ['stednavne', 'Bebyggelse', only(30), 'change-share'],
  ['cvr', 'Reklamebeskyttelse', without('vaerdi'), 'schema'],
  ['cvr', 'Reklamebeskyttelse', only(5), 'min-rows'],
  ['cvr', 'Reklamebeskyttelse', retyped('vaerdi', () => 'måske'), 'change-share'],
];

test.each([
  ['bbr', ['Bygning']],
  ['vurdering', ['Ejendomsvurdering']],
  ['stednavne', ['Stednavn', 'Bebyggelse']],
  ['cvr', COMPANY_ENTITIES],
] as const)(
  'spoilt files of %s change nothing, and each run says why',
  async (register, entities) => {
    const renew = () => entities.forEach((entity) => bench.shelf.renew(entity));
    const before = await contentOf(bench, register);
    for (const [, entity, change, guard] of SPOILT.filter(([of]) => of === register)) {
      renew();
      bench.shelf.spoil({
        rows: (of, rows) =>
          of !== entity ? rows : rows.map(change).filter((row): row is TableRow => row !== null),
      });
      expect([entity, told(await sync(register))]).toEqual([
        entity,
        expect.stringContaining(guard),
      ]);
    }
    expect(await contentOf(bench, register)).toBe(before);
    bench.shelf.spoil();
    expect(['published', 'unchanged']).toContain(told(await sync(register)));
  },
);

describe('assessments', () => {
  /** The rows of every number as the raw tables hold them, put together here in another way. */
  function truth(): ReadonlyMap<number, readonly string[]> {
    const assessments = new Map(
      bench.shelf
        .rows('Ejendomsvurdering')
        .flatMap((row) => (isCurrent(row) ? [[row['id'], row]] : [])),
    );
    const found = new Map<number, string[]>();
    for (const row of bench.shelf.rows('BFEKrydsreference')) {
      const bfe = Number(row['BFEnummer']);
      const assessment = assessments.get(row['fkEjendomsvurderingID']);
      const texts = found.get(bfe) ?? found.set(bfe, []).get(bfe)!;
      if (assessment === undefined) continue;
      const { id, år, ejendomværdiBeløb, grundværdiBeløb, vurderetAreal } = assessment;
      texts.push([id, år, ejendomværdiBeløb, grundværdiBeløb, vurderetAreal].join(' '));
    }
    return found;
  }

  test('a first sync makes every number one row of all its assessments, and keeps nothing else', async () => {
    const { rows } = await bench.store.pool.query<{ bfe: string; assessments: string }>(
      'select bfe::text, assessments from assessment',
    );
    const held = new Map(
      rows.map(({ bfe, assessments }) => [
        Number(bfe),
        (JSON.parse(assessments) as unknown[][]).map(([id, year, value, ground, , , area]) =>
          [id, year, value, ground, area].join(' '),
        ),
      ]),
    );
    const expected = truth();
    expect(held.size).toBe(expected.size);
    for (const [bfe, texts] of expected) {
      expect([bfe, held.get(bfe)?.toSorted()]).toEqual([bfe, texts.toSorted()]);
    }
    expect(await tablesOf('assessment')).toEqual([
      'assessment',
      'assessment_history',
      'assessment_source',
    ]);
    expect(notesOf('vurdering')).toContain('1 references to rows that are not there');
  });

  test('the newest year comes first, of a year the latest change, then the highest id (D111)', async () => {
    const [text] = await bench.column(
      `select assessments from assessment where bfe = ${KNOWN_ASSESSMENT.bfe}`,
    );
    const cells = JSON.parse(String(text)) as unknown[][];
    expect(cells.map(([, year, value, , , , , , , changed]) => [year, value, changed])).toEqual([
      [2024, 1_610_000, '2024-10-01'],
      [2022, 1_520_000, '2023-11-07'],
      [2022, 1_500_000, '2023-11-07'],
      [2022, 1_480_000, '2022-10-01'],
      [2020, 1_350_000, '2020-10-01'],
    ]);
  });

  test('a number that refers to nothing is kept as such: it is not the same as none', async () => {
    const row = (bfe: number) =>
      bench.column(`select assessments || unresolved from assessment where bfe = ${bfe}`);
    expect(await row(KNOWN_ASSESSMENT.brokenBfe)).toEqual(['[]1']);
    expect(await row(KNOWN_ASSESSMENT.noneBfe)).toEqual([]);
  });

  describe('another run', () => {
    test('reads no changes of a day; of one new table it reads all three, and is taken back', async () => {
      await expectOneChange(bench, 'vurdering', {
        ...{ entity: 'Ejendomsvurdering', cells: { vurderetAreal: '4711' } },
        isThere: async () => {
          const changed = `select bfe from assessment where assessments like '%, 4711,%'`;
          expect(await bench.column(changed)).toHaveLength(1);
        },
      });
    });

    test('counts a reference to what has ended or is to come apart from one to nothing', async () => {
      const of = (bfe: number) =>
        bench.shelf
          .rows('BFEKrydsreference')
          .filter((row) => Number(row['BFEnummer']) === bfe && isCurrent(row))
          .map((row) => row['fkEjendomsvurderingID']);
      const bfes = [...truth()].flatMap(([bfe, texts]) => (texts.length >= 3 ? [bfe] : []));
      const [ended, coming, closed, gone] = bfes.slice(10).map((bfe) => ({ bfe, id: of(bfe)[0] }));
      const assessment = (id: string | null | undefined) =>
        bench.shelf.rows('Ejendomsvurdering').find((row) => row['id'] === id && isCurrent(row))!;
      const at = '2026-11-03T06:30:00.000000Z';
      const change = (given: typeof ended, open: Partial<TableRow> | null): void => {
        const row = assessment(given?.id);
        bench.shelf.change('Ejendomsvurdering', {
          ...{ at, close: [row] },
          ...(open && { open: [{ ...row, ...open } as TableRow] }),
        });
      };
      change(ended, { virkningTil: '2026-01-01T00:00:00.000000Z' });
      change(coming, { virkningFra: '2027-06-01T00:00:00.000000Z' });
      change(closed, null);
      bench.shelf.renew('Ejendomsvurdering');
      bench.shelf.spoil({
        rows: (entity, rows) =>
          entity !== 'Ejendomsvurdering' ? rows : rows.filter((row) => row['id'] !== gone?.id),
      });
      expect(told(await sync('vurdering'))).toBe('published');
      for (const [given, unresolved] of [
        [ended, 0],
        [coming, 0],
        // Whatever followed upon it is not there.
        [closed, 1],
        [gone, 1],
      ] as const) {
        const { found } = await readAssessments(bench.store)(given?.bfe ?? 0);
        expect(found?.unresolved, String(given?.bfe)).toBe(unresolved);
        expect(found?.rows.map((row) => String(row.id))).toEqual(
          expect.not.arrayContaining([given?.id]),
        );
        expect(found?.rows.length).toBeGreaterThan(1);
        const { rows } = await bench.store.pool.query<{ name: string }>(
          `select relname as name from pg_class where relname like 'assessment%run%'`,
        );
        expect(rows).toEqual([]);
      }
    });

    test('without one of the tables is refused: the others tell nothing', async () => {
      const catalogue = overrideCatalogue(bench.deps.catalogue, {
        vurdering: { tables: { Vurderingsejendom: { source: null } } },
      });
      expect(told(await sync('vurdering', catalogue))).toBe('refused: empty');
    });
  });
});

describe('companies', () => {
  const truth = sampleCompanies();

  function ask(number: number): Promise<Record<string, unknown>> {
    return createCompanies({
      catalogue: bench.deps.catalogue,
      clock: bench.deps.clock,
      read: readCompany(bench.store),
      origin: null,
      source: 'CVR',
    })
      .find(String(number))
      .then((answer) => JSON.parse(companyText(answer)) as Record<string, unknown>);
  }

  const statusOf = (number: number) =>
    ask(number).then(
      () => 200,
      (failure: unknown) => (failure as Failure).status,
    );

  /** As the answer must be, put together here from what is true of the company. */
  function expected(company: SampleCompany) {
    const { address, form, branches, ended } = company;
    const [main, ...others] = branches.map(([kode, tekst]) => ({ kode, tekst }));
    return {
      cvr_nummer: String(company.number),
      navn: company.name,
      binavne: company.otherNames,
      virksomhedsform: { kode: form[0], tekst: form[1] },
      status: ended === null ? 'aktiv' : 'ophørt',
      startdato: company.started,
      ophoersdato: ended,
      adresse: {
        betegnelse: expect.stringMatching(
          new RegExp(
            `^${address.road} ${address.number}.*, ${address.postcode} ${address.postcodeName}$`,
          ),
        ) as string,
        vejnavn: address.road,
        husnr: `${address.number}${address.letter ?? ''}`,
        etage: address.floor,
        doer: address.door,
        postnr: address.postcode,
        postnrnavn: address.postcodeName,
        kommunekode: address.municipality,
        adresse_id: address.id,
      },
      hovedbranche: main,
      bibrancher: others,
      reklamebeskyttet: company.isProtected,
      personlig: ['10', '15'].includes(form[0]),
      meta: { kilde: 'CVR', service_version: '0.1.0' },
    };
  }

  test('every company of the sample is answered field by field, and nobody else is kept', async () => {
    for (const company of truth) {
      expect([company.number, await ask(company.number)]).toEqual([
        company.number,
        expected(company),
      ]);
    }
    expect(await statusOf(KNOWN_COMPANY.unknownNumber)).toBe(404);
    const [kept] = await bench.column(
      `select count(*) from company where record like '%${OTHER_UNIT_NAME}%' or record like '%Forhen%'`,
    );
    expect(Number(kept)).toBe(0);
    expect(await tablesOf('company')).toEqual(['company', 'company_history', 'company_source']);
  });

  test('the run tells the forms and statuses it met, and no name or number', () => {
    const notes = notesOf('cvr');
    expect(notes).toMatch(/Virksomhedsform 10: Enkeltmandsvirksomhed, \d+ rows/);
    expect(notes).toMatch(/status aktiv: \d+ rows/);
    expect(notes).not.toMatch(/99\d{6}|Opdigtet|Prøve/);
  });

  describe('another run', () => {
    test('reads no changes of a day; of one new table it reads all six, and is taken back', async () => {
      await expectOneChange(bench, 'cvr', { entity: 'Branche', cells: { vaerdi: '999999' } });
    });

    test('without protection tells null of it, never false; without names nothing is mirrored', async () => {
      const without = (entity: string) =>
        overrideCatalogue(bench.deps.catalogue, {
          cvr: { tables: { [entity]: { source: null } }, guards: { maxChangeShare: 1 } },
        });
      expect(told(await sync('cvr', without('Navn')))).toBe('refused: empty');
      for (const each of COMPANY_ENTITIES) bench.shelf.renew(each);
      expect(told(await sync('cvr', without('Reklamebeskyttelse')))).toBe('published');
      expect(await ask(KNOWN_COMPANY.protectedNumber)).toMatchObject({ reklamebeskyttet: null });
      expect(await ask(KNOWN_COMPANY.number)).toMatchObject({ reklamebeskyttet: null });
    });
  });
});

describe('place names', () => {
  interface Held {
    readonly public_id: string;
    readonly main_type: string | null;
    readonly subtype: string | null;
    readonly names: readonly (readonly (string | null)[])[];
    readonly unresolved: number;
    readonly inhabitants: number | null;
    readonly shape: string | null;
    readonly is_inside: boolean | null;
  }

  async function placeOf(object: number): Promise<Held | undefined> {
    const { rows } = await bench.store.pool.query<Held>(
      `select public_id, main_type, subtype, names::json as names, unresolved, inhabitants,
        ST_GeometryType(geom) as shape,
        ST_DWithin(geom, ST_SetSRID(ST_MakePoint(easting, northing), 25832), 0.001) as is_inside
      from place where id = $1`,
      [object],
    );
    return rows[0];
  }

  test('a first sync makes every place one row of all its names, and keeps nothing else', async () => {
    const objects = bench.shelf
      .rows('Stednavn')
      .filter((row) => row['registreringTil'] === null && row['aktualitet'] !== 'historisk')
      .map((row) => Number(row['navngivetSted_objectid']));
    const held = await bench.column('select id::integer from place order by id');
    expect(held).toEqual([...new Set(objects)].toSorted((a, b) => a - b));
    expect(await tablesOf('place')).toEqual(['place', 'place_history', 'place_source']);
    expect(notesOf('stednavne')).toContain('1 references to rows that are not there');
  });

  test('points, lines, areas and a ring that crosses itself have a point in them (D121)', async () => {
    const shapes: readonly (readonly [number, string])[] = [
      [KNOWN_PLACE.station.object, 'ST_Point'],
      [KNOWN_PLACE.stream.object, 'ST_MultiLineString'],
      [KNOWN_PLACE.lake.object, 'ST_Polygon'],
      [KNOWN_PLACE.bowTie, 'ST_MultiPolygon'],
    ];
    for (const [object, shape] of shapes) {
      expect(await placeOf(object)).toMatchObject({ shape, is_inside: true });
    }
    const [middle] = await bench.column(
      `select abs(ST_LineLocatePoint(ST_GeometryN(ST_LineMerge(geom), 1),
        ST_SetSRID(ST_MakePoint(easting, northing), 25832)) - 0.5) < 1e-6
      from place where id = ${KNOWN_PLACE.stream.object}`,
    );
    expect(middle).toBe(true);
  });

  test('a place in no table is known by its names alone, one without an id by its number', async () => {
    expect(await placeOf(KNOWN_PLACE.nowhere)).toMatchObject({ unresolved: 1, shape: null });
    expect(await placeOf(KNOWN_PLACE.noId)).toMatchObject({
      public_id: String(KNOWN_PLACE.noId),
      unresolved: 0,
    });
  });

  describe('another run', () => {
    test('reads no changes of a day; of one new table it reads all, and is taken back', async () => {
      await expectOneChange(bench, 'stednavne', {
        ...{ entity: 'Bebyggelse', cells: { indbyggertal: '7' } },
      });
    });

    test('goes on without a type that is left out, and not without the names', async () => {
      const without = async (entity: string): Promise<string> => {
        const catalogue = overrideCatalogue(bench.deps.catalogue, {
          stednavne: {
            tables: { [entity]: { source: null } },
            guards: { maxDanglingShare: 1, maxChangeShare: 1, maxDropShare: 1 },
          },
        });
        bench.shelf.renew('Bebyggelse');
        return told(await sync('stednavne', catalogue));
      };
      expect(await without('Soe')).toBe('published');
      expect(await placeOf(KNOWN_PLACE.lake.object)).toMatchObject({ unresolved: 1, shape: null });
      expect(await without('Stednavn')).toBe('refused: empty');
    });
  });
});

describe('listed buildings', () => {
  const content = () => contentOf(bench, 'fbb');

  const rows = (table: string) =>
    bench.column(`select concat_ws(' ', id, status, value, building_id) from ${table} order by id`);

  const text = ({ bygningsid, fredningsstatus, bevaringsvaerdi, ois_id }: ProtectionFeature) =>
    [
      bygningsid,
      fredningsstatus ?? -1,
      bevaringsvaerdi ?? -1,
      ...(ois_id === null ? [] : [ois_id]),
    ].join(' ');

  test('a first sync reads the listed, the cases, and of all buildings those surveyed alone', async () => {
    const features = (layer: ProtectionLayer) => bench.upstream.protection.features(layer);
    expect(await rows('protection_listed')).toEqual(features('fredede').map(text));
    expect(await rows('protection_case')).toEqual(features('bevaringssag').map(text));
    const surveyed = features('alle').filter(
      ({ fredningsstatus, bevaringsvaerdi }) =>
        (bevaringsvaerdi ?? 0) >= 1 || fredningsstatus === 3 || fredningsstatus === 4,
    );
    expect(surveyed.length).toBeGreaterThan(50);
    expect(surveyed.length).toBeLessThan(features('alle').length / 5);
    expect(await rows('protection_survey')).toEqual(surveyed.map(text));
    expect(notesOf('fbb')).toContain(`alle: fbb:view_bygning_alle, ${surveyed.length} rows`);
    const codes = new Set(surveyed.map(text).map((each) => each.split(' ').slice(1, 3).join(' ')));
    for (const code of ['3 -1', '4 0', '9 5', '3 0', '-1 6']) expect(codes).toContain(code);
  });

  describe('another run', () => {
    test('proves the copy, and publishes nothing', async () => {
      const at = `select synced_at::text from layer_state where layer = 'fbb'`;
      const before = await bench.column(at);
      bench.advance(60_000);
      expect(told(await sync('fbb'))).toBe('unchanged');
      expect(await bench.column(at)).not.toEqual(before);
    });

    test('takes what changed, and is taken back', async () => {
      const before = await content();
      const { foreignBuildingId: id } = KNOWN_PROPERTY;
      spoilPages({
        features: (layer, all) =>
          layer !== 'alle'
            ? all
            : all.map((each) => (each.ois_id === id ? { ...each, bevaringsvaerdi: 7 } : each)),
      });
      expect(told(await sync('fbb'))).toBe('published');
      const value = `select value from protection_survey where building_id = '${id}'`;
      expect(await bench.column(value)).toEqual([7]);
      expect((await revertLayer(bench.deps, 'fbb', { by: 'Ida' })).state).toBe('published');
      expect(await content()).toBe(before);
    });

    test.each<[string, NonNullable<ProtectionFaults['features']>]>([
      ['without the building', (_layer, all) => all.map(({ ois_id: _id, ...rest }) => rest)],
      [
        'with words for codes',
        (_layer, all) => all.map((each) => ({ ...each, bevaringsvaerdi: 'høj' })),
      ],
    ])('of rows %s is refused, and changes nothing', async (_, features) => {
      const before = await content();
      spoilPages({ features });
      expect(told(await sync('fbb'))).toMatch(/^refused: /);
      expect(await content()).toBe(before);
    });

    test('never pages all buildings of the country: a filter that does not hold fails', async () => {
      const everything = overrideCatalogue(bench.deps.catalogue, {
        fbb: { tables: { alle: { source: { anyOf: [] } } } },
      });
      const outcome = await sync('fbb', everything);
      expect(outcome).toMatchObject({ state: 'failed' });
      expect(outcome.state === 'failed' && outcome.reason).toMatch(/more than 500 are never read/);
    });
  });

  describe('a replay', () => {
    const dir = ownFolder('raw');

    async function archived(): Promise<string | undefined> {
      const archive = createArchive({ dir, keepRuns: 9, secrets: [], log: bench.deps.log });
      await syncLayer({ ...bench.deps, archive }, 'fbb', { trigger: 'command' });
      return (await runsIn(join(dir, 'fbb')))[0];
    }

    /** With nobody to ask: a server that is called fails the run. */
    const replay = (runId: string, publish = false) => {
      const gone = () => Promise.reject(new Error('The register was asked.'));
      const deps = { ...bench.deps, wfs: { ...bench.deps.wfs, get: gone } };
      return replayRun(deps, { dir, runId, publish, by: 'Ida' });
    };

    test('gives what the run gave of every layer, without the register', async () => {
      const before = await content();
      const { foreignBuildingId: id } = KNOWN_PROPERTY;
      spoilPages({
        features: (_layer, all) =>
          all.map((each) => (each.ois_id === id ? { ...each, bevaringsvaerdi: 8 } : each)),
      });
      const run = (await archived()) ?? '';
      const after = await content();
      expect(after).not.toBe(before);
      expect(await replay(run)).toMatchObject({ layer: 'fbb', state: 'unchanged' });
      await revertLayer(bench.deps, 'fbb', { by: 'Ida' });
      expect(await content()).toBe(before);
      expect(await replay(run)).toMatchObject({ state: 'would-publish' });
      expect(await content()).toBe(before);
      expect(await replay(run, true)).toMatchObject({ state: 'published' });
      expect(await content()).toBe(after);
      expect(await bench.column(`select held_by from layer_state where layer = 'fbb'`)).toEqual([
        'Ida',
      ]);
    });
  });
});
