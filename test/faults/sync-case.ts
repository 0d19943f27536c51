/** One sync under one fault: whole, old or new, and true; nothing left behind. */
import { isConditionId } from '../../src/layers/conditions/index.ts';
import type { PointUtm32 } from '../../src/geo/point.ts';
import type { AreaId, LayerId, LineKey } from '../../src/layers/keys.ts';
import { isAreaId, isTheme } from '../../src/layers/keys.ts';
import type { LayerOverride } from '../../src/layers/catalogue.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import { readLines } from '../../src/registers/lines/store.ts';
import { readCoveringAreas } from '../../src/registers/areas/store.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import type { RunOutcome } from '../../sync/deps.ts';
import { syncLayer } from '../../sync/run.ts';
import { keyOf } from '../../sample/holdings.ts';
import type { Ended, Finding, SyncCase } from './cases.ts';
import { told } from '../support/run-outcome.ts';
import { judgeBroken } from './broken-case.ts';
import { askAfterRefusal } from './live-case.ts';
import { fingerprint, leftovers } from './fingerprint.ts';
import type { Fingerprint } from './fingerprint.ts';
import { allowed, familyOf } from './matrix-terms.ts';
import type { SyncOutcome } from './matrix-terms.ts';
import type { Served } from './served.ts';
import { servedAreas, servedWithin } from './served.ts';
import { RADIUS_M, askingAs, leaks, spoil, syncDeps } from './world.ts';
import type { SyncLane, World } from './world.ts';

/** A page that is late is late at once, and no page is asked for twice: what waits here, waits long. */
const HASTY: LayerOverride = { source: { pageTimeoutMs: 80, tries: 1 } };

const ANY_ROWS: LayerOverride = { guards: { minRows: 0 } };

/** What the run would have brought is not let in by the lookups either. */
async function askLive(world: World, lane: SyncLane, given: SyncCase): Promise<readonly Finding[]> {
  const copy = given.first ? 'none' : given.draw.pick(['stale', 'expired'] as const);
  const byCode = given.draw.chance(0.5);
  const asked = { ...given, rung: 'line', copy, alone: true, byCode } as const;
  return await askAfterRefusal(world, lane, { ...asked, store: lane.store });
}

/** Runs the case on a lane that holds the untouched sample, and leaves it so. */
export async function runSyncCase(world: World, on: SyncLane, given: SyncCase): Promise<Ended> {
  const { row, layer } = given;
  const lane = askingAs(on, given);
  const { upstream, store } = lane;
  const whole = await fingerprint(store, layer);
  if (given.first) await forget(store, layer);
  const before = await fingerprint(store, layer);
  lane.said.length = 0;
  changeSource(lane, given);
  spoil(lane, given);
  if (row.deaf) await upstream.pause();
  let ended: Ended;
  try {
    const override = { ...(row.hasty && HASTY), ...(row.anyRows && ANY_ROWS) };
    const lifted = row.released ?? [];
    const outcome = await sync(world, lane, given, { override, lifted });
    if (row.deaf) await upstream.resume();
    const live = outcome.state === 'refused' ? await askLive(world, lane, given) : [];
    upstream.faults.clear();
    const findings = [...live, ...(await judge(world, lane, { given, outcome, before }))];
    const guards = outcome.state === 'refused' ? outcome.refusals.map(({ guard }) => guard) : [];
    ended = { outcome: outcome.state, guards, findings };
  } finally {
    upstream.faults.clear();
  }
  await restore(world, lane, { given, before: whole });
  return ended;
}

async function sync(
  world: World,
  lane: SyncLane,
  { layer }: SyncCase,
  how: { readonly override?: LayerOverride; readonly lifted?: readonly string[] },
): Promise<RunOutcome> {
  const deps = syncDeps(lane, world.workers);
  const catalogue = overrideCatalogue(deps.catalogue, { [layer]: how.override ?? {} });
  const liftedGuards = how.lifted ?? [];
  return await syncLayer({ ...deps, catalogue }, layer, { trigger: 'command', liftedGuards });
}

/** A column that has been mirrored once is missed when it is gone again: here, on purpose. */
const addsColumn = ({ rules }: SyncCase): boolean =>
  rules.some(({ fault }) => fault === 'new-column');

interface Judged {
  readonly given: SyncCase;
  readonly outcome: RunOutcome;
  readonly before: Fingerprint;
}

async function judge(world: World, lane: SyncLane, judged: Judged): Promise<Finding[]> {
  const { given, outcome, before } = judged;
  const after = await fingerprint(lane.store, given.layer);
  const findings: Finding[] = [
    ...(await traces(lane, given.layer)),
    ...leaks([...lane.said, JSON.stringify(outcome)]),
  ];
  const claimed = claimOf(outcome);
  if (claimed !== 'true') {
    if (after.text !== before.text) {
      findings.push({ kind: 'partial', detail: `${told(outcome)}, and yet the copy changed` });
    }
  } else {
    findings.push(...(await judgeTrue(world, lane, { ...judged, after })));
  }
  const expected: readonly SyncOutcome[] = allowed(given.row.sync, familyOf(given.layer)) ?? [];
  if (!expected.includes(claimed)) findings.push({ kind: 'off-table', detail: told(outcome) });
  return findings;
}

/** What a run says it has proved must be so: asked again without the fault, nothing differs. */
async function judgeTrue(
  world: World,
  lane: SyncLane,
  { given, outcome, before, after }: Judged & { readonly after: Fingerprint },
): Promise<Finding[]> {
  const published = outcome.state === 'published';
  const moved = after.generation - before.generation;
  if (moved !== (published ? 1 : 0) || (!published && after.content !== before.content)) {
    const detail = `${told(outcome)} moved the generation by ${moved}`;
    return [{ kind: 'partial', detail }];
  }
  if (given.row.broken === true && published) return await judgeBroken(world, lane, given);
  if (given.change === 'nothing' && !published) return [];
  if (given.row.served === true) return await judgeServed(world, lane, given);
  const again = await sync(world, lane, given, { lifted: addsColumn(given) ? ['schema'] : [] });
  const proved = await fingerprint(lane.store, given.layer);
  if (again.state === 'unchanged' && proved.content === after.content) return [];
  return [{ kind: 'partial', detail: `${told(outcome)}; without the fault: ${told(again)}` }];
}

/** A copy of what was served: its yes and no at every known point are those of what was served. */
async function judgeServed(world: World, lane: SyncLane, given: SyncCase): Promise<Finding[]> {
  const { layer, rules } = given;
  if (isConditionId(layer)) throw new Error('Nothing judges what conditions were served.');
  const served = { holdings: lane.upstream.holdings, rules };
  const places = world.points.map(({ point }) => point.utm32);
  const isWrong = isAreaId(layer)
    ? await themeJudge(lane, { ...served, layer }, places)
    : await lineJudge(lane, { ...served, layer }, places);
  const at = places.findIndex((_, n) => isWrong(n));
  if (at === -1) return [];
  return [{ kind: 'false', detail: `${layer} at ${JSON.stringify(places[at])} as mirrored` }];
}

type IsWrong = (place: number) => boolean;

async function lineJudge(
  { store, catalogue }: SyncLane,
  served: Served & { readonly layer: LineKey },
  places: readonly PointUtm32[],
): Promise<IsWrong> {
  const lines = [catalogue.lines[served.layer]];
  const { measures } = await readLines(store, { points: places, lines, radiusM: RADIUS_M });
  return (n) => measures[n]?.[0]?.within !== servedWithin(served, placeAt(places, n));
}

async function themeJudge(
  { store }: SyncLane,
  served: Served & { readonly layer: AreaId },
  places: readonly PointUtm32[],
): Promise<IsWrong> {
  const codesAt = await areaCodes(store, served.layer, places);
  return (n) => codesAt(n).join() !== servedAreas(served, placeAt(places, n)).join();
}

/** Districts are of no theme: a point is answered with the others only. */
async function areaCodes(
  store: SyncLane['store'],
  layer: AreaId,
  places: readonly PointUtm32[],
): Promise<(place: number) => readonly string[]> {
  if (!isTheme(layer)) {
    const { rows } = await store.pool.query<{ codes: string[] }>(
      `select array(select code from area
          where theme = $1 and ST_Covers(geom, ST_SetSRID(ST_MakePoint(x, y), 25832))
          order by code collate "C") as codes
        from unnest($2::float8[], $3::float8[]) with ordinality as p(x, y, n) order by n`,
      [layer, places.map(({ xUtm32 }) => xUtm32), places.map(({ yUtm32 }) => yUtm32)],
    );
    return (n) => rows[n]?.codes ?? [];
  }
  const { byPoint } = await readCoveringAreas(store, places);
  return (n) => (byPoint[n] ?? []).filter(({ theme }) => theme === layer).map(({ code }) => code);
}

function placeAt(places: readonly PointUtm32[], n: number): PointUtm32 {
  const place = places[n];
  if (place === undefined) throw new RangeError(`There is no place ${n}`);
  return place;
}

const FORGOTTEN = [
  ...['line_zone_edge', 'line_zone', 'line_feature'],
  ...['change_event', 'change_transaction', 'layer_history', 'layer_state'],
];

async function forget({ pool }: SyncLane['store'], layer: LayerId): Promise<void> {
  for (const table of FORGOTTEN) {
    await pool.query(`delete from ${table} where layer = $1`, [layer]);
  }
}

/** The source as it was, mirrored again: the copy must be what it was to the last edge. */
async function restore(
  world: World,
  lane: SyncLane,
  { given, before }: { readonly given: SyncCase; readonly before: Fingerprint },
): Promise<void> {
  lane.upstream.holdings.restore(given.layer);
  const now = await fingerprint(lane.store, given.layer);
  if (now.content === before.content && !addsColumn(given)) return;
  const outcome = await sync(world, lane, given, { lifted: LIFTABLE_GUARDS });
  const after = await fingerprint(lane.store, given.layer);
  if (after.content === before.content) return;
  throw new Error(`${given.layer} cannot be restored: ${told(outcome)}`);
}

function claimOf({ state }: RunOutcome): SyncOutcome {
  if (state === 'published' || state === 'unchanged') return 'true';
  return state === 'refused' ? 'refused' : 'failed';
}

async function traces({ store }: SyncLane, layer: LayerId): Promise<Finding[]> {
  const { staged, running } = await leftovers(store);
  return [
    ...(staged === 0 ? [] : [`${staged} rows of ${layer} left on the stage`]),
    ...(running === 0 ? [] : [`${running} runs of ${layer} left running`]),
  ].map((detail) => ({ kind: 'partial', detail }));
}

function changeSource({ upstream }: SyncLane, { layer, change, draw }: SyncCase): void {
  const { holdings } = upstream;
  const features = holdings.features(layer).filter(({ geometry }) => geometry !== null);
  const key = keyOf(layer, draw.pick(features));
  if (key === null || change === 'nothing') return;
  switch (change) {
    case 'moved':
      holdings.move(layer, key, { east: draw.integer(1, 4), north: draw.integer(1, 4) });
      break;
    case 'removed':
      holdings.remove(layer, key);
      break;
    case 'attribute':
      holdings.assign(layer, key, attributesOf(layer, draw.integer(1, 1e6)));
  }
}

function attributesOf(layer: LayerId, number: number): Record<string, string> {
  if (isAreaId(layer)) return { navn: `Omdøbt ${number} (opdigtet)` };
  switch (familyOf(layer)) {
    case 'heritage':
      return { datering: `Tid ${number}` };
    case 'cadastre':
      return { virkningFra: `2012-03-04T05:06:07.${String(number % 1000).padStart(3, '0')}Z` };
    case 'portal areas':
    case 'portal lines':
    case 'dagi':
      return { CVR_navn: `Prøve ${number}` };
  }
}
