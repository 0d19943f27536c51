/** Building lines that begin or end later are known ahead, and come into force without their register. */
import { expect, test } from 'vitest';
import { readDatedChanges } from '../../src/ops/dated-changes.ts';
import { readStatus } from '../../src/ops/freshness.ts';
import { syncDated } from '../../sync/dated/run.ts';
import { preparePreviews } from '../../sync/dated/preview.ts';
import { syncLayer } from '../../sync/run.ts';
import { openDatedBench } from '../support/dated-bench.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';

const AT = '2098-12-01T12:00:00.000Z';
const DAY_MS = 86_400_000;
const dated = await opened(openDatedBench());

const statusOf = async (id: string) => {
  const { store, catalogue, clock } = dated.deps;
  const { layers } = await readStatus(store, catalogue, clock.nowMs());
  return layers.find(({ layer }) => layer === id);
};

test.each(['soe', 'dige', 'natur'] as const)('%s', async (layer) => {
  const { deps, bench } = dated;
  const { holdings } = bench.upstream;
  const plain = holdings.features(layer).filter(({ properties: { Systid_til: til, ...row } }) => {
    return til === null && Number(row['Statuskode']) === 3 && Number(row['Off_kode']) === 1;
  });
  const [ends, begins] = plain.map(({ properties }) => properties['Objekt_id'] as string);
  const held = async () => {
    const text =
      'select object_id as id from line_feature where layer = $1 and object_id = any($2)';
    const { rows } = await bench.store.pool.query<object>(text, [layer, [ends, begins]]);
    return rows;
  };
  const change = async () =>
    (await readDatedChanges(deps.store, deps.clock.nowMs())).find((each) => each.layer === layer);
  holdings.assign(layer, ends!, { Systid_til: AT });
  holdings.assign(layer, begins!, { Systid_fra: AT });
  dated.setClock(Date.parse(AT) - DAY_MS);
  expect(told(await syncLayer(deps, layer, { trigger: 'command' }))).toBe('published');
  await preparePreviews(deps);
  expect(await change()).toMatchObject({
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
  expect(await change()).toMatchObject({ state: 'carried_out' });
  expect(await statusOf(layer)).toMatchObject({ state: 'fresh' });
  expect(told(await syncLayer(deps, layer, { trigger: 'command' }))).toBe('unchanged');
});

test('a listing that stands still makes its copy late, though runs succeed', async () => {
  dated.bench.upstream.shelf.spoil({
    listing: (entries) => entries.map((entry) => ({ ...entry, generationTime: AT })),
  });
  for (const [days, state] of [
    [1, 'fresh'],
    [14, 'fresh'],
    [15, 'delayed'],
    [20, 'delayed'],
  ] as const) {
    dated.setClock(Date.parse(AT) + days * DAY_MS);
    expect(told(await dated.sync('region'))).toBe(days === 1 ? 'published' : 'unchanged');
    const data = { madeAt: AT, ageS: days * 86_400, limitS: 15 * 86_400 };
    expect(await statusOf('region')).toMatchObject({ ageS: 0, state, data });
  }
});
