/**
 * Rows that begin or end in the future: kept, never shown, and carried out when their date comes. What is known ahead is
 * shown with its numbers, and a confirmation lets exactly that pass. Layers that change at one instant: one transaction,
 * and none of them waits for ever for another.
 */
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/db/connect.ts';
import { createOperatorService } from '../../src/ops/operator-service.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { isUnansweredAt, unansweredOf } from '../../src/geo/unanswered.ts';
import type { UnansweredPlaces } from '../../src/geo/unanswered.ts';
import { THEMES } from '../../src/layers/keys.ts';
import type { LayerId, Theme } from '../../src/layers/keys.ts';
import { createLayerLoader } from '../../src/memory/layer-loader.ts';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import { readDatedChanges, unconfirmChange } from '../../src/ops/dated-changes.ts';
import { LAYERS } from '../../src/registers.ts';
import { readAhead, readContent } from '../../src/registers/areas/ahead.ts';
import { cutAhead } from '../../src/registers/areas/derive.ts';
import { readStatus } from '../../src/ops/freshness.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { prepareNext } from '../../sync/dated/prepare.ts';
import { preparePreviews } from '../../sync/dated/preview.ts';
import { syncDated } from '../../sync/dated/run.ts';
import { writeAnnouncements } from '../../sync/dated/settle.ts';
import { JointPublication } from '../../sync/dated/together.ts';
import { revertLayer } from '../../sync/revert.ts';
import type { SyncOptions } from '../../sync/run.ts';
import { syncLayer } from '../../sync/run.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { envelopeOf, mapPositions } from '../../sample/data/geometry.ts';
import type { SampleGeometry } from '../../sample/data/geometry.ts';
import { ANNOUNCED_AT } from '../../sample/files/rows.ts';
import type { FileRow } from '../../sample/files/rows.ts';
import { DATED_ROWS } from '../faults/matrix-dated.ts';
import type { DatedRow } from '../faults/matrix-dated.ts';
import { createWorkers } from '../../workers/pool.ts';
import { killAt } from '../support/crash-kit.ts';
import { INSTANT_MS, openDatedBench } from '../support/dated-bench.ts';
import { opened } from '../support/opened.ts';
import { told } from '../support/run-outcome.ts';
import { isHeavy } from '../support/run-settings.ts';
import { silence } from '../support/silence.ts';
import type { SyncProcessSettings } from '../support/sync-process.ts';

const REGION = 'region-20981231T230000Z';
const BEFORE_MS = INSTANT_MS - 3600_000;
const SOGN = 'sogn-20981231T230000Z';
const BY = { who: 'Opdigtet Operatør', requestId: 'r1', from: '127.0.0.1' };

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

const rowsOf = async <R extends object>(text: string) =>
  (await dated.bench.store.pool.query<R>(text)).rows;
const codesOf = async (theme: Theme, column: 'code' | 'distinct region_code') =>
  (
    await rowsOf<{ code: string }>(
      `select ${column} as code from area where theme = '${theme}' order by 1`,
    )
  ).map(({ code }) => code);
const codes = (theme: Theme) => codesOf(theme, 'code');
const regionsIn = (theme: Theme) => codesOf(theme, 'distinct region_code');
const state = async (theme: Theme) =>
  (
    await rowsOf<{ version: string; generation: string; outdated_ms: number; synced_ms: number }>(
      `select version::text, generation::text,
         (extract(epoch from outdated_at) * 1000)::float8 as outdated_ms,
         (extract(epoch from synced_at) * 1000)::float8 as synced_ms
       from layer_state where layer = '${theme}'`,
    )
  )[0];
const statusOf = async (of: LayerId) => {
  const { store, clock, catalogue } = dated.deps;
  const { layers } = await readStatus(store, catalogue, clock.nowMs());
  return layers.find(({ layer }) => layer === of);
};
const healthOf = async (theme: Theme) => (await statusOf(theme))?.state;
const carryOut = (theme: Theme, liftedGuards: readonly string[] = []) =>
  dated.sync(theme, { trigger: 'dated', dated: true, liftedGuards });
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

describe('before the instant', () => {
  test('what is to come is kept beside the mirror, and nowhere in it', async () => {
    const kept = await rowsOf<{ layer: string; begins: number; ends: number }>(
      `select layer, (count(*) filter (where begins_at > '-infinity'))::integer as begins,
         (count(*) filter (where begins_at = '-infinity'))::integer as ends
       from dated_row group by layer order by layer`,
    );
    expect(kept).toEqual([
      { layer: 'kommune', begins: 1, ends: 1 },
      { layer: 'region', begins: 1, ends: 2 },
      { layer: 'sogn', begins: 2, ends: 1 },
    ]);
    expect(await codes('region')).toEqual(['1091', '1092']);
    expect(await codes('sogn')).not.toContain('9916');
    expect(await rowsOf('select id from dated_change order by id')).toEqual([
      { id: 'kommune-20981231T230000Z' },
      { id: 'region-20981231T230000Z' },
      { id: 'sogn-20981231T230000Z' },
    ]);
  });

  test('and the copy is not outdated, not by the clock of UTC either', async () => {
    expect((await state('region'))?.outdated_ms).toBe(INSTANT_MS);
    dated.setClock(INSTANT_MS - 1);
    expect(await healthOf('kommune')).not.toBe('missing');
    const before = await state('region');
    expect(told(await carryOut('region'))).toBe('unchanged');
    expect(await state('region')).toEqual(before);
    expect(await rowsOf("select id from sync_run where kind = 'dated'")).toEqual([]);
  });
});

describe('at the instant', () => {
  test('a copy whose rows have ended is late at once, and its old rows still answer', async () => {
    dated.setClock(INSTANT_MS - 1);
    for (const theme of ['region', 'kommune'] as const) await dated.sync(theme);
    expect(await healthOf('region')).toBe('fresh');
    dated.setClock(INSTANT_MS);
    expect(await healthOf('region')).toBe('delayed');
    expect(await codes('region')).toEqual(['1091', '1092']);
  });

  test('the rows at hand become valid without asking anybody', async () => {
    const before = await state('region');
    const others = await state('kommune');
    dated.bench.upstream.forgetRequests();
    expect(told(await carryOut('region', LIFTABLE_GUARDS))).toBe('published');
    expect(dated.bench.upstream.requests()).toEqual([]);
    expect(await codes('region')).toEqual(['1093']);
    for (const theme of ['region', 'kommune', 'sogn', 'retskreds', 'politikreds'] as const) {
      expect(await regionsIn(theme)).toEqual(['1093']);
    }
    const after = await state('region');
    // When the content was proved is no younger than that.
    expect(after).toMatchObject({ synced_ms: before?.synced_ms, outdated_ms: null });
    // Whoever keeps municipalities by their version has the old region in them.
    const renewed = await state('kommune');
    expect(Number(renewed?.version)).toBe(Number(others?.version) + 1);
    expect(renewed?.generation).toBe(after?.generation);
    expect(await healthOf('region')).not.toBe('delayed');
  });

  test('once: a second time there is nothing to do', async () => {
    const before = await state('region');
    expect(told(await carryOut('region'))).toBe('unchanged');
    expect(await state('region')).toEqual(before);
  });

  test('a name changes and a parish is split by the same rule', async () => {
    expect(told(await carryOut('kommune', ['canary']))).toBe('published');
    expect(await rowsOf("select name from area where theme = 'kommune' and code = '0091'")).toEqual(
      [{ name: 'Prøveholm Kommune (opdigtet) (kommende)' }],
    );
    expect(told(await carryOut('sogn', ['canary']))).toBe('published');
    expect(await codes('sogn')).toContain('9916');
    expect(await rowsOf('select from dated_row')).toEqual([]);
    expect(
      await rowsOf('select count(*)::integer as n from dated_change where version is not null'),
    ).toEqual([{ n: 3 }]);
  });

  test('the same file, read again, changes nothing', async () => {
    for (const theme of ['region', 'kommune', 'sogn'] as const) {
      expect(told(await dated.sync(theme))).toBe('unchanged');
    }
    // Nor does a reading of every row: they are the rows that were announced, to the byte.
    dated.bench.upstream.holdings.edit('region', (features) => [...features]);
    expect(told(await dated.sync('region'))).toBe('unchanged');
  });

  test('put back by a person it is late again, and waits for a person', async () => {
    await revertLayer(dated.deps, 'region', { by: 'test' });
    expect(await codes('region')).toEqual(['1091', '1092']);
    expect(await regionsIn('sogn')).toEqual(['1091', '1092']);
    expect(await healthOf('region')).toBe('delayed');
    expect(await carryOut('region')).toMatchObject({ state: 'held' });
    const by = { liftedGuards: LIFTABLE_GUARDS };
    expect(told(await dated.sync('region', by))).toBe('published');
    expect(await healthOf('region')).not.toBe('delayed');
    expect(await regionsIn('sogn')).toEqual(['1093']);
  });
});

describe('of a mirror as new,', () => {
  beforeEach(() => dated.restore());

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
      } = { ...merger.preview?.numbers };
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
    const announce = (
      announced: { ends: string[]; begins: (string | null)[] },
      atMs = INSTANT_MS,
    ) =>
      writeAnnouncements(dated.deps.store, 'region', {
        announcements: [{ at: new Date(atMs).toISOString(), ...announced }],
        nowMs: dated.deps.clock.nowMs(),
      });
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

      regionsSay((rows) =>
        rows.filter(isMerged).map((row) => withCells(row, { regionskode: 1095 })),
      );
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

  describe('layers of one instant', () => {
    beforeEach(() => dated.setClock(INSTANT_MS));

    async function published(): Promise<{ codes: string; transactions: number }> {
      const [row] = await rowsOf<{ codes: string; transactions: number }>(
        `select coalesce(string_agg(code, ' ' order by code), '') as codes,
         count(distinct xmin::text)::integer as transactions
       from area where code in ('1093', '9916') or name like '%(kommende)'`,
      );
      return row!;
    }

    const run = (joint: JointPublication, layer: LayerId, options: Partial<SyncOptions> = {}) =>
      syncLayer(dated.deps, layer, {
        ...{ trigger: 'dated', dated: true, liftedGuards: LIFTABLE_GUARDS, publish: joint.publish },
        ...options,
      }).finally(() => joint.leave(layer));

    test('of three layers with one instant, those that may change do so in one transaction', async () => {
      // Nobody has confirmed the regions; the others trip no guard.
      const outcome = await syncDated(dated.deps, 'sogn', { signal: AbortSignal.timeout(60_000) });
      expect(told(outcome)).toBe('published');
      expect(await published()).toEqual({ codes: '0091 9916', transactions: 1 });
      const runs = "select layer, state from sync_run where kind = 'dated' order by layer";
      expect(await rowsOf(runs)).toEqual([
        { layer: 'kommune', state: 'published' },
        { layer: 'region', state: 'refused' },
        { layer: 'sogn', state: 'published' },
      ]);
    });

    test('asked for twice at once, one carries all of them out and the other leaves them to it', async () => {
      const asked = { signal: AbortSignal.timeout(60_000) };
      const outcomes = await Promise.all([
        syncDated(dated.deps, 'sogn', asked),
        syncDated(dated.deps, 'kommune', asked),
      ]);
      expect(outcomes.map(told).toSorted()).toEqual(['busy', 'published']);
      expect(await published()).toEqual({ codes: '0091 9916', transactions: 1 });
      // Nothing is due any more: neither the rows at hand nor the source are read again.
      dated.bench.upstream.forgetRequests();
      expect(told(await syncDated(dated.deps, 'sogn', asked))).toBe('unchanged');
      expect(dated.bench.upstream.requests()).toEqual([]);
    });

    test('one that another process has claimed is left to it, with those after it', async () => {
      // Nobody has confirmed the regions: their run ends early, and keeps nobody else from a claim.
      await rowsOf(`insert into sync_run (layer, trigger, kind, started_at, heartbeat_at)
        values ('kommune', 'dated', 'dated', now(), clock_timestamp())`);
      const asked = { signal: AbortSignal.timeout(60_000) };
      expect(told(await syncDated(dated.deps, 'sogn', asked))).toBe('busy');
      expect(await published()).toEqual({ codes: '', transactions: 0 });
    });

    test('one whose rows cannot be put in place does not keep the others in the past', async () => {
      const joint = new JointPublication(dated.deps, ['region', 'sogn']);
      const [region, sogn] = await Promise.all([
        run(joint, 'region'),
        run(joint, 'sogn', {
          publish: (store, of, { expected, ...publishing }) =>
            joint.publish(store, of, { ...publishing, expected: { ...expected, inserted: 99 } }),
        }),
      ]);
      expect(told(region)).toBe('published');
      expect(told(sogn)).toMatch(/failed in apply: .*not the rows that were checked/);
      expect(await published()).toEqual({ codes: '1093', transactions: 1 });
    });

    test('one that does not come in time, or is stopped while it waits, is not waited for', async () => {
      const late = new JointPublication(dated.deps, ['region', 'kommune'], 500);
      expect(told(await run(late, 'region'))).toBe('published');
      // What was waited for comes behind, by itself.
      expect(told(await run(late, 'kommune'))).toBe('published');
      expect(await published()).toEqual({ codes: '0091 1093', transactions: 2 });

      const joint = new JointPublication(dated.deps, ['sogn', 'kommune']);
      const stop = new AbortController();
      const waiting = run(joint, 'sogn', {
        signal: stop.signal,
        onProgress: ({ phase }) => {
          if (phase === 'apply')
            setTimeout(() => stop.abort(new Error('stopped by the test')), 200);
        },
      });
      expect(told(await waiting)).toMatch(/failed in apply: stopped by the test/);
      expect((await published()).codes).toBe('0091 1093');
      joint.leave('kommune');
    });
  });

  /**
   * Rows to come that cannot be read (D143): nothing of them until their instant, and no answer in their place from then on,
   * by the version that the date publishes. Open rings, places abroad: test/faults/dated-case.ts.
   */
  describe('rows to come that cannot be read', () => {
    const LIFTED = [
      ...['min-rows', 'area-drop', 'area-growth', 'canary', 'row-drop', 'change-share', 'issues'],
    ];
    const read = () => dated.sync('kommune', { liftedGuards: LIFTED });
    const comes = () => carryOut('kommune', LIFTED);
    const isToCome = ({ columns }: FileRow) => columns['virkningFra'] === ANNOUNCED_AT;

    /** The municipality that is renamed, as the register sends the row that is to come. */
    let toCome: FileRow;

    function fileSays(edit: (row: FileRow) => FileRow | FileRow[]): void {
      dated.bench.upstream.holdings.edit('kommune', (features) => [...features]);
      dated.bench.upstream.shelf.spoil({
        rows: (rows) => {
          if (!('kommunekode' in (rows[0]?.columns ?? {}))) return rows;
          toCome = rows.find(isToCome)!;
          return rows.flatMap(edit);
        },
      });
    }

    const breakAhead = (geometry: SampleGeometry | null) =>
      fileSays((row) => (isToCome(row) ? { ...row, geometry } : row));

    interface Copy {
      readonly unanswered: UnansweredPlaces | null;
      readonly unread: readonly { key: string; beginsAt?: string }[] | null;
      readonly version: string;
    }
    const copy = async () =>
      (
        await rowsOf<Copy>(
          "select unanswered, unread, version::text from layer_state where layer = 'kommune'",
        )
      )[0]!;

    /** Whether the middle of a shape is one of no answer, by what is published. */
    async function isUnanswered(geometry: SampleGeometry): Promise<boolean> {
      const { minX, maxX, minY, maxY } = envelopeOf(geometry);
      const { utm32 } = pointFromUtm32({ xUtm32: (minX + maxX) / 2, yUtm32: (minY + maxY) / 2 });
      return isUnansweredAt(unansweredOf((await copy()).unanswered), utm32);
    }

    const shape = () => toCome.geometry!;
    const code = () => String(toCome.columns['kommunekode']).padStart(4, '0');

    const elsewhere = (geometry: SampleGeometry, eastM: number): SampleGeometry =>
      mapPositions(geometry, ([x = 0, y = 0]) => [x + eastM, y]);

    describe('a row to come without a shape', () => {
      test('lies where the present one does, from its instant on', async () => {
        breakAhead(null);
        expect(told(await read())).toBe('published');
        const before = await copy();
        expect(before.unanswered).toBeNull();
        expect(before.unread).toEqual([
          expect.objectContaining({ beginsAt: new Date(INSTANT_MS).toISOString() }),
        ]);
        // The same telling is nothing new.
        expect(told(await read())).toBe('unchanged');
        dated.setClock(INSTANT_MS - 1);
        expect(told(await comes())).toBe('unchanged');
        expect(await isUnanswered(shape())).toBe(false);

        dated.setClock(INSTANT_MS);
        expect(await codes('kommune')).toContain(code());
        expect(told(await comes())).toBe('published');
        expect(await codes('kommune')).not.toContain(code());
        expect(await isUnanswered(shape())).toBe(true);
        const { unanswered, unread } = await copy();
        expect(unanswered?.objects).toEqual([code()]);
        expect(unread?.[0]).not.toHaveProperty('beginsAt');
        expect(told(await comes())).toBe('unchanged');

        // The file as it is read now tells the same.
        breakAhead(null);
        expect(told(await read())).toBe('unchanged');
        expect(await isUnanswered(shape())).toBe(true);
      });

      test('is an instant of its own where nothing else begins or ends then', async () => {
        fileSays((row) => {
          if (isToCome(row)) return { ...row, geometry: null };
          const { virkningTil } = row.columns;
          const until = virkningTil === ANNOUNCED_AT ? null : (virkningTil ?? null);
          return { ...row, columns: { ...row.columns, virkningTil: until } };
        });
        expect(told(await read())).toBe('published');
        dated.setClock(INSTANT_MS);
        expect(told(await comes())).toBe('published');
        // The row it takes the place of had no end of its own.
        expect(await codes('kommune')).not.toContain(code());
        expect(await isUnanswered(shape())).toBe(true);
        const carriedOut = "select version::text from dated_change where layer = 'kommune'";
        expect(await rowsOf(carriedOut)).toEqual([{ version: (await copy()).version }]);
      });

      test('refuses the copy where nothing tells where it lies', async () => {
        const nobody = (row: FileRow) => ({ ...row.columns, id_lokalId: 'nobody-has-this' });
        fileSays((row) => (isToCome(row) ? { ...row, columns: nobody(row), geometry: null } : row));
        expect(told(await read())).toBe('refused: unplaced');
        const released = await dated.sync('kommune', { liftedGuards: [...LIFTED, 'unplaced'] });
        expect(told(released)).toBe('published');
        expect(told(await read())).toBe('unchanged');
      });

      test('is taken back with its version, and kept where the register is asked by WFS', async () => {
        breakAhead(null);
        await read();
        // A WFS tells the present alone.
        const byWfs = { ...dated.deps, catalogue: sampleCatalogue(dated.bench.upstream.url) };
        const outcome = await dated.sync('kommune', { liftedGuards: LIFTED }, byWfs);
        expect(['published', 'unchanged']).toContain(outcome.state);
        expect((await copy()).unread).toHaveLength(1);
        dated.setClock(INSTANT_MS);
        expect(told(await comes())).toBe('published');
        expect(await isUnanswered(shape())).toBe(true);
        const back = await revertLayer(dated.deps, 'kommune', { by: 'test' });
        expect(back.state).toBe('published');
        expect(await isUnanswered(shape())).toBe(false);
        expect(await codes('kommune')).toContain(code());
      });
    });

    test('a row to come without a name is no answer from then on', async () => {
      fileSays((row) =>
        isToCome(row) ? { ...row, columns: { ...row.columns, navn: null } } : row,
      );
      expect(told(await read())).toBe('published');
      dated.setClock(INSTANT_MS);
      expect(told(await comes())).toBe('published');
      expect(await isUnanswered(shape())).toBe(true);
      // Its code was not read either: any may be it.
      expect((await copy()).unanswered?.objects).toEqual([null]);
      expect(await codes('kommune')).not.toContain(code());
    });

    describe('two rows to come of one id', () => {
      test('answer nothing where either lies, from their instant on: nobody knows which is meant', async () => {
        const twinOf = (row: FileRow) => ({ ...row, geometry: elsewhere(row.geometry!, 700) });
        fileSays((row) => (isToCome(row) ? [row, twinOf(row)] : row));
        expect(told(await read())).toBe('published');
        expect((await copy()).unanswered).toBeNull();
        dated.setClock(INSTANT_MS);
        expect(told(await comes())).toBe('published');
        expect(await codes('kommune')).not.toContain(code());
        expect(await isUnanswered(shape())).toBe(true);
        expect(await isUnanswered(elsewhere(shape(), 700))).toBe(true);
      });

      test('that say the same are one row', async () => {
        fileSays((row) => (isToCome(row) ? [row, row] : row));
        await read();
        expect((await copy()).unread).toBeNull();
      });
    });
  });

  /** They come into force without their register. */
  describe('building lines that begin or end later', () => {
    const AT = '2098-12-01T12:00:00.000Z';
    const DAY_MS = 86_400_000;

    test.each(['soe', 'dige', 'natur'] as const)('%s', async (layer) => {
      const { deps, bench } = dated;
      const { holdings } = bench.upstream;
      const plain = holdings
        .features(layer)
        .filter(({ properties: { Systid_til: til, ...row } }) => {
          return til === null && Number(row['Statuskode']) === 3 && Number(row['Off_kode']) === 1;
        });
      const [ends, begins] = plain.map(({ properties }) => properties['Objekt_id'] as string);
      const held = () =>
        rowsOf(`select object_id as id from line_feature
          where layer = '${layer}' and object_id in ('${ends}', '${begins}')`);
      const known = async () =>
        (await readDatedChanges(deps.store, deps.clock.nowMs())).find(
          (each) => each.layer === layer,
        );
      holdings.assign(layer, ends!, { Systid_til: AT });
      holdings.assign(layer, begins!, { Systid_fra: AT });
      dated.setClock(Date.parse(AT) - DAY_MS);
      expect(told(await syncLayer(deps, layer, { trigger: 'command' }))).toBe('published');
      await preparePreviews(deps);
      expect(await known()).toMatchObject({
        ...{ atMs: Date.parse(AT), state: 'prepared', preview: null },
        codes: { ends: [{ code: ends }], begins: [{ code: begins }], changes: [] },
      });
      expect(await held()).toEqual([{ id: ends }]);
      dated.setClock(Date.parse(AT));
      expect(await statusOf(layer)).toMatchObject({ state: 'delayed' });
      bench.upstream.forgetRequests();
      const { signal } = new AbortController();
      expect(told(await syncDated(deps, layer, { signal }))).toBe('published');
      expect(bench.upstream.requests()).toEqual([]);
      expect(await held()).toEqual([{ id: begins }]);
      expect(await known()).toMatchObject({ state: 'carried_out' });
      expect(await statusOf(layer)).toMatchObject({ state: 'fresh' });
      expect(told(await syncLayer(deps, layer, { trigger: 'command' }))).toBe('unchanged');
    });

    test('a listing that stands still makes its copy late, though runs succeed', async () => {
      dated.bench.upstream.shelf.spoil({
        listing: (entries) => entries.map((entry) => ({ ...entry, generationTime: AT })),
      });
      for (const [days, health] of [
        [1, 'fresh'],
        [14, 'fresh'],
        [15, 'delayed'],
        [20, 'delayed'],
      ] as const) {
        dated.setClock(Date.parse(AT) + days * DAY_MS);
        expect(told(await dated.sync('region'))).toBe('unchanged');
        const data = { madeAt: AT, ageS: days * 86_400, limitS: 15 * 86_400 };
        expect(await statusOf('region')).toMatchObject({ ageS: 0, state: health, data });
      }
    });
  });

  /**
   * What is worked out before the instant: the pieces, regions and contents of the next versions, and their snapshots in
   * memory. Put in place when they are what was published; else they are as good as none. On the embedded store nothing is
   * prepared: its one session is not kept from everybody.
   */
  describe.skipIf(process.env['TEST_STORE'] !== 'postgres')('prepared before the instant', () => {
    let loader: LayerLoader;
    let directory = '';
    const workers = createWorkers({ threads: 1 });
    /** Layers whose snapshot was built, and what the loader has complained of. */
    const built: string[] = [];
    const said: string[] = [];

    afterAll(() => workers.close());
    beforeEach(async () => {
      dated.setClock(BEFORE_MS);
      await confirm(REGION);
      directory = mkdtempSync(join(dated.bench.store.dataDir, 'snapshots-'));
      loader = loaderIn(directory);
      built.length = 0;
      said.length = 0;
    });
    afterEach(() => expect(said).toEqual([]));

    const loaderIn = (place: string) =>
      createLayerLoader({
        sources: LAYERS,
        ...{ clock: dated.deps.clock, store: dated.deps.store, catalogue: dated.deps.catalogue },
        ...{ directory: place, storeName: 'test', log: (message) => said.push(message) },
        workers: {
          buildSnapshot: (task, signal) => {
            built.push(task.layer);
            return workers.buildSnapshot(task, signal);
          },
        },
      });

    const prepare = () => prepareNext(dated.deps, new AbortController().signal);
    const comes = async () =>
      told(await syncDated(dated.deps, 'region', { signal: AbortSignal.timeout(60_000) }));
    const coming = () => readdirSync(directory).filter((name) => name.includes('-coming.')).length;
    const count = async (table: string) =>
      (await rowsOf<{ n: number }>(`select count(*)::integer as n from ${table}`))[0]?.n;

    async function load(): Promise<void> {
      await loader.refresh();
      for (const _ of THEMES) await loader.lookAhead();
    }

    const regionOf = (code: string) =>
      loader.current?.areasByCode('kommune', [code])?.areas[0]?.regionCode;

    test('rows that several processes cut at a time are cut once', async () => {
      const { db, pool } = dated.bench.store;
      const pieces = () =>
        rowsOf('select layer, key, count(*) as n from dated_piece group by 1, 2 order by 1, 2');
      await pool.query('delete from dated_piece');
      await cutAhead(db, 'region');
      const once = await pieces();
      await pool.query('delete from dated_piece');
      await Promise.all(Array.from({ length: 4 }, () => cutAhead(db, 'region')));
      expect(await pieces()).toEqual(once);
    });

    test('what is published at the instant is what was prepared, and nothing is built any more', async () => {
      await prepare();
      const versions = await readAhead(dated.deps.store.db);
      expect(versions.map(({ layer }) => layer).toSorted()).toEqual([...THEMES].toSorted());
      await load();
      expect(built.toSorted()).toEqual([...THEMES, ...THEMES].toSorted());
      expect(coming()).toBe(2 * THEMES.length);
      // Nothing of it is to be seen.
      expect(loader.current?.namesOf('region')?.has('1093')).toBe(false);
      expect(regionOf('0094')).toBe('1092');
      expect(await count('stage_feature')).toBe(0);
      expect(await count("area where code = '1093'")).toBe(0);

      dated.setClock(INSTANT_MS);
      expect(await comes()).toBe('published');
      for (const { layer, version, content } of versions) {
        const published = await readContent(dated.deps.store.db, layer);
        expect({ layer, ...published }).toMatchObject({ layer, version, content });
      }
      built.length = 0;
      await loader.refresh();
      expect(built).toEqual([]);
      expect(coming()).toBe(0);
      expect(loader.current?.namesOf('region')?.has('1093')).toBe(true);
      expect(regionOf('0094')).toBe('1093');
      await expectAsBuiltAnew();
      await expectAsWorkedOutAnew();
    });

    /** The snapshots in service are, to the byte, those that the published rows lead to. */
    async function expectAsBuiltAnew(): Promise<void> {
      const anew = loaderIn(mkdtempSync(join(dated.bench.store.dataDir, 'snapshots-')));
      await anew.refresh();
      for (const theme of THEMES) {
        const bytes = [loader, anew].map((each) =>
          Buffer.from(each.current?.layers.get(theme)?.snapshot.buffer ?? new SharedArrayBuffer(0)),
        );
        expect(bytes[0]?.equals(bytes[1] ?? Buffer.alloc(0)), theme).toBe(true);
      }
    }

    /** Pieces and regions as a change that nobody prepared has them. */
    async function expectAsWorkedOutAnew(): Promise<void> {
      const derived = () =>
        rowsOf(
          `select a.theme, a.key, a.region_code, count(*) as pieces, round(sum(ST_Area(p.geom)))
           from area a join area_piece p using (theme, key) group by 1, 2, 3 order by 1, 2`,
        );
      const prepared = await derived();
      await dated.restore();
      await confirm(REGION);
      dated.setClock(INSTANT_MS);
      expect(await comes()).toBe('published');
      expect(await derived()).toEqual(prepared);
    }

    test('with the confirmation taken back it is dropped, in the store and in memory', async () => {
      await prepare();
      await load();
      const at = { id: REGION, nowMs: BEFORE_MS };
      expect((await unconfirmChange(dated.deps.store, at)).state).toBe('done');
      await prepare();
      // What trips no guard is prepared all the same.
      expect((await readAhead(dated.deps.store.db)).map(({ layer }) => layer)).toEqual([
        'kommune',
        'sogn',
      ]);
      for (const _ of THEMES) await loader.lookAhead();
      expect(coming()).toBe(4);
      dated.setClock(INSTANT_MS);
      expect(await comes()).toMatch(/refused/);
      await prepare();
      await loader.refresh();
      await loader.lookAhead();
      expect(await readAhead(dated.deps.store.db)).toEqual([]);
      expect(coming()).toBe(0);
    });

    test('what another version came between is built as any other', async () => {
      await prepare();
      await load();
      // A new name in the file of today: the municipalities are another version, with other content.
      dated.bench.upstream.holdings.edit('kommune', (features) => [...features]);
      dated.bench.upstream.shelf.spoil({
        rows: (rows) =>
          rows.map((row) =>
            Number(row.columns['kommunekode']) === 94
              ? { ...row, columns: { ...row.columns, navn: 'Nyt Navn (opdigtet)' } }
              : row,
          ),
      });
      expect(told(await dated.sync('kommune', { liftedGuards: ['canary'] }))).toBe('published');
      dated.setClock(INSTANT_MS);
      expect(await comes()).toBe('published');
      built.length = 0;
      await loader.refresh();
      expect(built).toEqual(['kommune']);
      const { areas = [] } = loader.current?.areasByCode('kommune', ['0094']) ?? {};
      expect(areas[0]).toMatchObject({ name: 'Nyt Navn (opdigtet)', regionCode: '1093' });
      await expectAsBuiltAnew();
    });

    test('too near its instant it is left to the run, which waits for nothing', async () => {
      dated.setClock(INSTANT_MS - 60_000);
      await prepare();
      expect(await readAhead(dated.deps.store.db)).toEqual([]);
    });
  });

  /**
   * kill -9 while a change is carried out: the old content or the new, whole, and the next run ends it. By night:
   * test/faults/kill.test.ts has a kill at each step of a run by day.
   */
  describe.runIf(isHeavy)('killed', () => {
    const PHASES = ['fetch', 'diff', 'check', 'derive', 'apply', 'announce'];
    const SYNC_PROCESS = join(import.meta.dirname, '../support/sync-process.ts');

    const one = async <R extends object>(text: string) => (await rowsOf<R>(text))[0]!;

    /** Old regions, confirmed to become one. */
    async function begin(): Promise<void> {
      await dated.restore();
      dated.setClock(BEFORE_MS);
      await confirm(REGION);
    }

    /** Killed this long after it has begun, or as it says a phase. */
    async function kill(
      at: string | number,
      work: 'carry-out' | 'prepare' = 'carry-out',
    ): Promise<void> {
      const { store, upstream } = dated.bench;
      const settings: SyncProcessSettings = {
        ...{ work, layer: 'region', upstreamUrl: upstream.url },
        ...{ databaseUrl: store.databaseUrl, dataDir: store.dataDir },
        nowMs: work === 'prepare' ? BEFORE_MS : INSTANT_MS,
      };
      const begun = work === 'prepare' ? work : 'fetch';
      const [wanted, afterMs] = typeof at === 'number' ? [begun, at] : [at, 0];
      const isTime = (message: string) => message.startsWith(wanted);
      await killAt(SYNC_PROCESS, settings, { isTime, afterMs });
    }

    /** What is published is of one moment: regions, the codes the others carry, and what is still to come. */
    async function whole(): Promise<'old' | 'new'> {
      const { regions, carried, dates, done } = await one<Record<string, string | null>>(
        `select (select string_agg(code, ' ' order by code) from area where theme = 'region') as regions,
           (select string_agg(distinct region_code, ' ' order by region_code) from area) as carried,
           (select count(*) from dated_row where layer = 'region')::text as dates,
           (select carried_out_at is not null from dated_change where id = '${REGION}')::text as done`,
      );
      const seen = `${regions} | ${carried} | ${dates} | ${done}`;
      if (seen === '1093 | 1093 | 0 | true') return 'new';
      expect(seen).toBe('1091 1092 | 1091 1092 | 3 | false');
      return 'old';
    }

    test('old or new, whole, and once it is looked at again it is new', async () => {
      for (const at of [...PHASES, 5, 20, 40, 80]) {
        await begin();
        await kill(at);
        // The server may take a moment to see that nobody is there any more.
        await expect.poll(whole).toMatch(/old|new/);
        // By the heartbeat the process is dead, however long it took to be killed; another takes over.
        dated.setClock(INSTANT_MS + 120_000);
        await silence(dated.bench.store);
        const again = async () => told(await carryOut('region'));
        // Busy while the server has not seen yet that nobody is there to commit for.
        await expect.poll(again).toMatch(/published|unchanged/);
        expect(await whole(), String(at)).toBe('new');
        expect(await one('select count(*)::integer as n from stage_feature')).toEqual({ n: 0 });
      }
    });

    /** The embedded store is never prepared. */
    test.skipIf(process.env['TEST_STORE'] !== 'postgres')(
      'killed while it is prepared: the old content, and nothing half prepared',
      async () => {
        for (const at of [5, 60, 150]) {
          await begin();
          await kill(at, 'prepare');
          expect(await whole(), String(at)).toBe('old');
          const { prepared, versions, regions, staged } = await one<Record<string, number>>(
            `select (select count(*) from dated_prepared)::integer as prepared,
               (select count(*) from dated_version)::integer as versions,
               (select count(*) from dated_region)::integer as regions,
               (select count(*) from stage_feature)::integer as staged`,
          );
          expect(staged).toBe(0);
          expect([prepared, versions, (regions ?? 0) > 0]).toEqual(
            prepared === 0 ? [0, 0, false] : [1, 6, true],
          );
          await prepareNext(dated.deps, new AbortController().signal);
          dated.setClock(INSTANT_MS);
          expect(told(await carryOut('region'))).toBe('published');
          expect(await whole(), String(at)).toBe('new');
        }
      },
    );
  });
});
