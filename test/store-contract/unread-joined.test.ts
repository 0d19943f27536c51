/** Rows that cannot be read (D143), of registers that are joined with records or asked by a number of their own. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Failure } from '../../src/kernel/failures.ts';
import { createAssessments } from '../../src/registers/assessments/lookup.ts';
import { createCompanies } from '../../src/registers/companies/lookup.ts';
import { createProperties } from '../../src/registers/property/lookup.ts';
import { protection } from '../../src/registers/property/record/protection.ts';
import { readAssessments } from '../../src/registers/assessments/store.ts';
import { readCompany } from '../../src/registers/companies/store.ts';
import { readProperties } from '../../src/registers/property/store.ts';
import { readRuns } from '../../src/ops/run-log.ts';
import type { Guard } from '../../sync/check.ts';
import { syncLayer } from '../../sync/run.ts';
import { KNOWN_ASSESSMENT } from '../../sample/registers/assessments/rows.ts';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import { KNOWN_COMPANY } from '../../sample/registers/companies/rows.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { breakRows, openAddressBench } from '../sync/addresses-bench.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';

type Register = 'vurdering' | 'cvr' | 'fbb' | 'bbr';

const bench = await opened(openAddressBench());
afterEach(() => {
  bench.shelf.spoil();
  bench.upstream.protection.spoil();
});

/** The sample is small: a row is a large share of it. */
const SMALL: readonly Guard[] = ['change-share', 'issues', 'lost-features'];

async function sync(id: Register, lifted: readonly Guard[] = []): Promise<string> {
  const outcome = await syncLayer(bench.deps, id, {
    trigger: 'command',
    liftedGuards: [...SMALL, ...lifted],
  });
  return told(outcome);
}

const common = () => ({
  catalogue: bench.deps.catalogue,
  clock: bench.deps.clock,
  municipalities: () => ({ generation: null, read: () => Promise.resolve(null) }),
  nameSources: (names: readonly string[]) => names.join(', '),
});
const statusOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 200,
    (failure: unknown) => (failure as Failure).status,
  );

/** Rows of an entity that fit, with these cells in place of their own; the files are new. */
const breaks = (entity: SampleEntity, fits: (row: TableRow) => boolean, cells: TableRow) =>
  breakRows(bench, entity, { fits, cells });

/** Files as they should be, and a copy of them. */
async function mends(id: Register, entity: SampleEntity): Promise<void> {
  bench.shelf.spoil();
  bench.shelf.renew(entity);
  expect(await sync(id)).toBe('published');
}

const unread = async (register: Register) => {
  const [objects] = await bench.column(
    `select unanswered -> 'objects' from layer_state where layer = '${register}'`,
  );
  return objects;
};

/** What the record of a property says. */
async function record(bfe: number) {
  const read = (asked: Parameters<typeof readProperties>[1]) => readProperties(bench.store, asked);
  const properties = createProperties({ ...common(), read, addresses: () => null });
  const { value } = await properties.find([bfe], null);
  return value[0];
}

describe('assessments', () => {
  const assessments = (bfe: number) =>
    statusOf(
      createAssessments({
        ...common(),
        read: (asked) => readAssessments(bench.store, asked),
      }).find(bfe),
    );
  const { bfe, splitBfe, noneBfe } = KNOWN_ASSESSMENT;
  const refersTo = (row: TableRow) => Number(row['BFEnummer']) === bfe;

  test('are not told of a number with a reference that cannot be read, nor in its record', async () => {
    expect([await sync('bbr'), await sync('vurdering')]).toEqual(['published', 'published']);
    expect([await assessments(bfe), await assessments(noneBfe)]).toEqual([200, 404]);
    expect(await record(bfe)).toMatchObject({ rows: { assessments: {} } });
    breaks('BFEKrydsreference', refersTo, { registreringFra: 'i går' });
    expect(await sync('vurdering')).toBe('published');
    expect(await unread('vurdering')).toEqual([String(bfe)]);
    expect([await assessments(bfe), await assessments(splitBfe)]).toEqual([502, 200]);
    expect(await assessments(noneBfe)).toBe(404);
    expect(await record(bfe)).toMatchObject({ rows: { assessments: null } });
  });

  test('nor of one whose assessment or assessment property cannot be read', async () => {
    const references = bench.shelf.rows('BFEKrydsreference').filter(refersTo);
    const ids = references.map((row) => row['fkEjendomsvurderingID']);
    const isIts = (row: TableRow) => ids.includes(row['id'] ?? '');
    breaks('Ejendomsvurdering', isIts, { virkningFra: 'ukendt' });
    expect(await sync('vurdering')).toBe('published');
    expect([await assessments(bfe), await assessments(splitBfe)]).toEqual([502, 200]);
    await mends('vurdering', 'Ejendomsvurdering');
    expect([await unread('vurdering'), await assessments(bfe)]).toEqual([null, 200]);
    const owners = bench.shelf
      .rows('Ejendomsvurdering')
      .flatMap((row) => (isIts(row) ? [row['fkVurderingsejendomID']] : []));
    breaks('Vurderingsejendom', (row) => owners.includes(row['vurderingsejendomID'] ?? ''), {
      registreringFra: 'i går',
    });
    expect(await sync('vurdering')).toBe('published');
    expect([await assessments(bfe), await assessments(splitBfe)]).toEqual([502, 200]);
  });

  test('of a reference that tells no number are refused; released, no number is without one', async () => {
    breaks('BFEKrydsreference', refersTo, { BFEnummer: 'ukendt' });
    expect(await sync('vurdering')).toMatch(/^refused: .*unplaced/);
    expect(await sync('vurdering', ['unplaced'])).toBe('published');
    expect([await assessments(noneBfe), await assessments(splitBfe)]).toEqual([502, 200]);
  });
});

describe('a company', () => {
  const company = (number: number) =>
    statusOf(
      createCompanies({
        ...common(),
        read: (asked) => readCompany(bench.store, asked),
        origin: null,
      }).find(String(number)),
    );
  const { number, endedNumber, unknownNumber } = KNOWN_COMPANY;
  const isIts = (row: TableRow) => Number(row['CVRNummer']) === number;

  test('of which a row cannot be read is not told, nor told to be none', async () => {
    expect(await sync('cvr')).toBe('published');
    expect([await company(number), await company(unknownNumber)]).toEqual([200, 404]);
    const unit = bench.shelf.rows('Virksomhed').find(isIts)?.['id'];
    breaks('Virksomhed', isIts, { virkningFra: 'i går' });
    expect(await sync('cvr')).toBe('published');
    expect(await unread('cvr')).toEqual([String(number)]);
    const others = [await company(endedNumber), await company(unknownNumber)];
    expect([await company(number), ...others]).toEqual([503, 200, 404]);
    await mends('cvr', 'Virksomhed');
    expect(await company(number)).toBe(200);
    breaks('Navn', (row) => row['CVREnhedsId'] === unit, { virkningFra: 'i går' });
    expect(await sync('cvr')).toBe('published');
    expect([await company(number), await company(endedNumber)]).toEqual([503, 200]);
  });

  test('is not named where it is told what could not be read', async () => {
    const { unread: listed } = await readRuns(bench.store, 'cvr', {
      limit: 1,
      before: null,
      issues: 1,
    });
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.map(({ key, raw }) => [key, raw])).toEqual(listed.map(() => ['Navn', null]));
  });
});

describe('a building of FBB', () => {
  const { blockId, bfe } = KNOWN_PROPERTY;
  const isOf = (id: string) => (feature: { readonly ois_id: string | null }) =>
    feature.ois_id === id;

  async function protectionOf(building: string) {
    const found = await record(bfe);
    if (found === undefined || !('rows' in found)) throw new Error('no record');
    const { rows, around } = found;
    const own = rows.protections?.filter((row) => row.buildingId === building) ?? [];
    return around.protection && protection(own, around.protection);
  }

  test('whose row cannot be read is not told to be no listed one', async () => {
    expect(await sync('fbb')).toBe('published');
    expect(await protectionOf(blockId)).toMatchObject({ fredet: true });
    bench.upstream.protection.spoil({
      features: (layer, features) =>
        layer === 'fredede'
          ? features.map((each) =>
              isOf(blockId)(each) ? { ...each, fredningsstatus: 'ja' } : each,
            )
          : features,
    });
    expect(await sync('fbb')).toBe('published');
    expect(await unread('fbb')).toEqual([blockId]);
    expect(await protectionOf(blockId)).toBeNull();
  });
});
