/** What is known ahead is shown with its numbers, and a confirmation lets exactly that pass. */
import { beforeEach, describe, expect, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../src/db/connect.ts';
import { createOperatorService } from '../../src/ops/operator-service.ts';
import type { Theme } from '../../src/layers/keys.ts';
import { preparePreviews } from '../../sync/dated/preview.ts';
import { writeAnnouncements } from '../../sync/dated/settle.ts';
import type { FileRow } from '../../sample/files/rows.ts';
import { DATED_ROWS } from '../faults/matrix-dated.ts';
import type { DatedRow } from '../faults/matrix-dated.ts';
import { INSTANT_MS, openDatedBench } from '../support/dated-bench.ts';
import { opened } from '../support/opened.ts';
import { told } from '../support/run-outcome.ts';

const REGION = 'region-20981231T230000Z';
const SOGN = 'sogn-20981231T230000Z';
const BY = { who: 'Opdigtet Operatør', requestId: 'r1', from: '127.0.0.1' };

/** A row of the fault matrix. */
const named = ({ id, about, outcome }: DatedRow) => `${id}: ${about}: ${outcome}`;

const dated = await opened(openDatedBench());
await dated.syncThemes();
await preparePreviews(dated.deps);
await dated.keep();
const operator = createOperatorService({
  ...dated.deps,
  facts: { get: () => Promise.reject(new Error('Nobody asks for the overview.')) },
  lookups: () => new Map(),
  hosts: () => [],
  memory: () => null,
  keyedHosts: new Set(),
  operations: null,
});

/** Each test has the sample's mirror as new. */
beforeEach(() => dated.restore());

const rowsOf = async <R extends object>(text: string) =>
  (await dated.bench.store.pool.query<R>(text)).rows;
const codes = async (theme: Theme) =>
  (
    await rowsOf<{ code: string }>(`select code from area where theme = '${theme}' order by code`)
  ).map(({ code }) => code);
const carryOut = (theme: Theme) => dated.sync(theme, { trigger: 'dated', dated: true });
const change = async (id: string) => {
  const { changes } = await operator.changes();
  const found = changes.find((each) => each.id === id);
  if (found === undefined)
    throw new Error(`No ${id} among ${changes.map((each) => each.id).join()}.`);
  return found;
};
const confirm = async (id: string) => {
  expect(await operator.confirm(id, 'aftalt', BY)).toMatchObject({ state: 'done' });
};

/** What the files of the regions say instead. */
function regionsSay(edit: (rows: readonly FileRow[]) => readonly FileRow[]): void {
  dated.bench.upstream.holdings.edit('region', (features) => [...features]);
  dated.bench.upstream.shelf.spoil({
    rows: (rows) => ('regionskode' in (rows[0]?.columns ?? {}) ? edit(rows) : rows),
  });
}

const isCurrent = ({ columns }: FileRow) =>
  columns['registreringTil'] === null && columns['skala'] === '1:10.000';
const codeOf = ({ columns }: FileRow) => String(columns['regionskode']);
/** Of the file once the regions have become one. */
const isMerged = (row: FileRow) => !isCurrent(row) || codeOf(row) === '1093';
const withCells = (row: FileRow, cells: FileRow['columns']): FileRow => ({
  ...row,
  columns: { ...row.columns, ...cells },
});

describe('shown', () => {
  test('a merger, with its numbers and the guards it will trip', async () => {
    const merger = await change(REGION);
    expect(merger).toMatchObject({
      layer: 'region',
      atMs: INSTANT_MS,
      state: 'prepared',
      codes: {
        ends: [{ code: '1091' }, { code: '1092' }],
        begins: [{ code: '1093', name: 'Region Prøveøen (opdigtet)' }],
        changes: [],
      },
      preview: {
        guards: ['min-rows', 'canary'],
        numbers: { rowsBefore: 2, rowsAfter: 1, inserted: 1, removed: 2, changed: 0 },
      },
      needsConfirmation: true,
      confirmation: null,
    });
    const {
      areaBeforeM2 = 0,
      areaAfterM2 = 1,
      canaryAsked,
      canaryChanged,
    } = {
      ...merger.preview?.numbers,
    };
    expect(Math.abs(areaBeforeM2 - areaAfterM2)).toBeLessThan(10);
    expect(canaryChanged).toBe(canaryAsked);
  });

  test('a split and a new name', async () => {
    expect((await change(SOGN)).codes).toEqual({
      ends: [],
      begins: [{ code: '9916', name: 'Ny Prøve Sogn (opdigtet)' }],
      changes: [
        { code: '9905', name: 'Vor Prøve Sogn (opdigtet)', newName: 'Vor Prøve Sogn (opdigtet)' },
      ],
    });
    expect((await change('kommune-20981231T230000Z')).codes.changes).toEqual([
      {
        code: '0091',
        name: 'Prøveholm Kommune (opdigtet)',
        newName: 'Prøveholm Kommune (opdigtet) (kommende)',
      },
    ]);
  });

  test('and working it out leaves nothing behind', async () => {
    expect(await rowsOf('select from stage_feature')).toEqual([]);
    expect(await codes('region')).toEqual(['1091', '1092']);
    expect(await rowsOf("select from sync_run where kind = 'dated'")).toEqual([]);
  });

  test.skipIf(process.env['TEST_STORE'] === 'postgres')(
    'nor does it keep the one session of the embedded store from others',
    async () => {
      await rowsOf('update dated_change set preview = null, preview_of = null');
      const { bench, deps } = dated;
      const other = await openStore({
        ...{ databaseUrl: null, dataDir: bench.store.dataDir, purpose: 'lookups' },
        log: { error: () => undefined },
      });
      const work = { isOn: true };
      let answered = 0;
      const asking = (async () => {
        while (work.isOn) {
          await other.pool.query('select 1');
          answered += 1;
          await sleep(1);
        }
      })();
      await preparePreviews(deps);
      work.isOn = false;
      await asking;
      await other.close();
      expect((await change(REGION)).preview).not.toBeNull();
      // Three changes: of one transaction each, others would be answered between them alone.
      expect(answered).toBeGreaterThan(10);
    },
  );
});

describe('confirmed', () => {
  test(named(DATED_ROWS.prepared), async () => {
    await confirm(REGION);
    dated.setClock(INSTANT_MS);
    const outcome = await carryOut('region');
    expect(told(outcome)).toBe('published');
    expect(await codes('region')).toEqual(['1093']);
    expect(await change(REGION)).toMatchObject({
      state: 'carried_out',
      carriedOut: { atMs: INSTANT_MS, version: 2 },
    });
    // The register now holds fewer than a layer could have, and that is no news any more.
    dated.bench.upstream.holdings.edit('region', (features) => [...features]);
    expect(told(await dated.sync('region'))).toBe('unchanged');
  });

  test('by the file of the day as well', async () => {
    await confirm(REGION);
    dated.setClock(INSTANT_MS + 3600_000);
    expect(told(await dated.sync('region'))).toBe('published');
    expect(await codes('region')).toEqual(['1093']);
  });

  test.each<[string, RegExp, (rows: readonly FileRow[]) => readonly FileRow[]]>([
    [
      named(DATED_ROWS.half),
      /refused: .*area-drop/,
      (rows) => {
        const old = rows.find((row) => isCurrent(row) && codeOf(row) === '1091');
        return rows.map((row) =>
          codeOf(row) === '1093' ? { ...row, geometry: old?.geometry ?? null } : row,
        );
      },
    ],
    [
      named(DATED_ROWS.other),
      /refused: .*min-rows/,
      (rows) =>
        rows.map((row) =>
          codeOf(row) === '1093' ? withCells(row, { regionskode: 1094, id_lokalId: '77' }) : row,
        ),
    ],
  ])('%s', async (_named, refused, say) => {
    await confirm(REGION);
    dated.setClock(INSTANT_MS + 3600_000);
    regionsSay(say);
    expect(told(await dated.sync('region'))).toMatch(refused);
    expect(await codes('region')).toEqual(['1091', '1092']);
  });

  test(named(DATED_ROWS.early), async () => {
    await confirm(REGION);
    regionsSay((rows) =>
      rows.filter(isMerged).map((row) => withCells(row, { virkningFra: '2018-03-09' })),
    );
    expect(told(await dated.sync('region'))).toMatch(/refused: .*min-rows/);
    expect(await codes('region')).toEqual(['1091', '1092']);
  });

  test(named(DATED_ROWS.beside), async () => {
    expect(told(await dated.sync('sogn'))).toBe('unchanged');
    await confirm(SOGN);
    dated.setClock(INSTANT_MS + 3600_000);
    dated.bench.upstream.holdings.edit('sogn', (features) =>
      features.filter(({ properties }) => properties['sognekode'] !== 9901),
    );
    expect(told(await dated.sync('sogn'))).toMatch(/refused/);
    expect(await codes('sogn')).toContain('9901');
    expect(await codes('sogn')).not.toContain('9916');
  });

  test(named(DATED_ROWS.unconfirmed), async () => {
    await confirm(REGION);
    expect(await operator.unconfirm(REGION, BY)).toMatchObject({ state: 'done' });
    dated.setClock(INSTANT_MS);
    expect(told(await carryOut('region'))).toMatch(/refused/);
    expect(await change(REGION)).toMatchObject({ state: 'overdue', needsConfirmation: true });
    expect(await rowsOf('select act, who from operator_act order by id desc limit 2')).toEqual([
      { act: 'unconfirm', who: BY.who },
      { act: 'confirm', who: BY.who },
    ]);
  });
});

describe('announced by hand', () => {
  const announce = (announced: { ends: string[]; begins: (string | null)[] }, atMs = INSTANT_MS) =>
    writeAnnouncements(dated.deps.store, 'region', {
      announcements: [{ at: new Date(atMs).toISOString(), ...announced }],
      nowMs: dated.deps.clock.nowMs(),
    });
  /** No file says anything of what is to come. */
  const silent = (rows: readonly FileRow[]) =>
    rows
      .filter((row) => codeOf(row) !== '1093')
      .map((row) => withCells(row, { virkningTil: null }));

  test(named(DATED_ROWS.late), async () => {
    regionsSay(silent);
    expect(told(await dated.sync('region'))).toBe('unchanged');
    expect((await operator.changes()).changes.map(({ layer }) => layer)).not.toContain('region');
    await announce({ ends: ['1091', '1092'], begins: [null] });
    await preparePreviews(dated.deps);
    expect(await change(REGION)).toMatchObject({
      state: 'expected',
      codes: {
        ends: [{ code: '1091', name: 'Region Prøvevest (opdigtet)' }, { code: '1092' }],
        begins: [{ code: null }],
      },
      preview: { guards: ['min-rows', 'canary'], numbers: { removed: 2, inserted: 1 } },
    });
    await confirm(REGION);

    dated.setClock(INSTANT_MS);
    expect(told(await dated.sync('region'))).toBe('unchanged');
    expect(await change(REGION)).toMatchObject({ state: 'overdue' });

    regionsSay((rows) => rows.filter(isMerged).map((row) => withCells(row, { regionskode: 1095 })));
    expect(told(await dated.sync('region'))).toBe('published');
    expect(await codes('region')).toEqual(['1095']);
    expect(await change(REGION)).toMatchObject({ state: 'carried_out' });
    // Fewer regions than before are no reason to refuse the next night.
    dated.bench.upstream.holdings.edit('region', (features) => [...features]);
    expect(told(await dated.sync('region'))).toBe('unchanged');
  });

  test('several successors are one change, and as many of them may come as were announced', async () => {
    regionsSay(silent);
    expect(told(await dated.sync('region'))).toBe('unchanged');
    await announce({ ends: ['1091', '1092'], begins: ['1094', null] });
    await preparePreviews(dated.deps);
    expect(await change(REGION)).toMatchObject({
      state: 'expected',
      codes: { begins: [{ code: '1094' }, { code: null }] },
      preview: { guards: ['canary'], numbers: { rowsAfter: 2, removed: 2, inserted: 2 } },
    });
    await confirm(REGION);
    dated.setClock(INSTANT_MS);
    /** The regions of today under new codes, and as many more as are asked for. */
    const renumbered = (more: readonly number[]) => (rows: readonly FileRow[]) => {
      const old = rows.filter((row) => isCurrent(row) && codeOf(row) !== '1093');
      const as = (row: FileRow, code: number): FileRow =>
        withCells(row, { regionskode: code, id_lokalId: String(code), virkningTil: null });
      return [as(old[0]!, 1094), as(old[1]!, 1095), ...more.map((code) => as(old[1]!, code))];
    };
    regionsSay(renumbered([1096]));
    expect(told(await dated.sync('region'))).toMatch(/refused/);
    regionsSay(renumbered([]));
    expect(told(await dated.sync('region'))).toBe('published');
    expect(await codes('region')).toEqual(['1094', '1095']);
  });

  test(named(DATED_ROWS.contradicted), async () => {
    await announce({ ends: ['1091'], begins: ['1099'] });
    await preparePreviews(dated.deps);
    expect(await change(REGION)).toMatchObject({
      state: 'contradicted',
      contradictions: [{ kind: 'unannounced', code: '1092' }],
    });
    expect(await operator.confirm(REGION, null, BY)).toEqual({
      state: 'refused',
      why: 'contradicted',
    });
    await announce({ ends: ['1091', '1092', '1077'], begins: ['1093'] });
    expect((await change(REGION)).contradictions).toEqual([{ kind: 'unknown', code: '1077' }]);
  });

  test('withdrawn from the settings, what no file tells is gone', async () => {
    const later = 'region-20981231T230001Z';
    const known = async () => (await operator.changes()).changes.map(({ id }) => id);
    await announce({ ends: ['1091'], begins: [null] }, INSTANT_MS + 1000);
    expect(await known()).toContain(later);
    const nowMs = dated.deps.clock.nowMs();
    await writeAnnouncements(dated.deps.store, 'region', { announcements: [], nowMs });
    expect(await known()).not.toContain(later);
  });
});
