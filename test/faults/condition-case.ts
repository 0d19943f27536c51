/**
 * One run of a condition under one fault of the matrix: afterwards every answer at the known places is what it was, or
 * none. Faults that the sync cannot tell from the register's own word are left out.
 */
import { pointFromUtm32 } from '../../src/geo/project.ts';
import type { Point } from '../../src/geo/point.ts';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import { CONDITIONS, CONDITION_IDS, conditionId } from '../../src/layers/conditions/index.ts';
import type { Condition, ConditionId } from '../../src/layers/conditions/condition.ts';
import { conditions } from '../../src/registers/conditions/register.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import type { LiftableGuard } from '../../sync/check.ts';
import { syncLayer } from '../../sync/run.ts';
import { PLANNED } from '../../sample/data/conditions.ts';
import type { SampleFeature } from '../../sample/data/feature.ts';
import { linesOf } from '../../sample/data/geometry.ts';
import { createRandom } from '../../sample/data/random.ts';
import type { Random } from '../../sample/data/random.ts';
import { storeLookups } from '../support/lookups.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { told } from '../support/run-outcome.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import type { SyncBench } from '../support/sync-bench.ts';
import type { Ended, Finding } from './cases.ts';
import { MATRIX } from './matrix.ts';
import type { MatrixRow, Rule } from './matrix-terms.ts';

/** What the source itself holds instead: it is real, and may be refused or mirrored, but turns no yes into a no. */
const OF_SOURCE: Readonly<Record<string, (all: readonly SampleFeature[]) => SampleFeature[]>> = {
  'half-a-layer': (all) => all.slice(0, Math.floor(all.length / 2)),
  mojibake: (all) =>
    all.map((feature) => ({ ...feature, properties: misread(feature.properties) })),
};

/** A sync takes no live faults, nor those that wait. */
const ROWS: readonly MatrixRow[] = MATRIX.filter(
  ({ sync, served, deaf, hasty, afterRefusal }) =>
    sync !== null && !served && !deaf && !hasty && !afterRefusal,
);
const FAMILIES = ['html-200', 'moved', 'http-404', 'emptied', 'lost-member'];

export interface ConditionCase {
  readonly number: number;
  readonly condition: Condition;
  readonly row: string;
  /** As an operator may, once a person has looked. */
  readonly lifted: readonly LiftableGuard[];
  readonly rules: readonly Rule[];
}

export const SURE_CASES = CONDITIONS.length * (FAMILIES.length + Object.keys(OF_SOURCE).length);

/** The first numbers are every condition in every cheap family, the rest are drawn. */
export function drawConditionCase(seed: number, number: number): ConditionCase {
  const draw = createRandom(`conditions ${seed}/${number}`);
  const families = [...FAMILIES, ...Object.keys(OF_SOURCE)];
  const isSure = number <= SURE_CASES;
  const condition = isSure ? CONDITIONS[(number - 1) % CONDITIONS.length]! : draw.pick(CONDITIONS);
  const row = isSure
    ? families[Math.floor((number - 1) / CONDITIONS.length)]!
    : draw.pick([...ROWS.map(({ id }) => id), ...Object.keys(OF_SOURCE)]);
  const of = ROWS.find(({ id }) => id === row);
  const lifts = of?.broken === true && draw.chance(0.5);
  return {
    ...{ number, condition, row },
    lifted: [...(of?.released ?? []), ...(lifts ? VOUCHED : [])],
    rules: (of?.rules(draw, conditionId(condition.key)) ?? []).map((rule) =>
      ownColumn(rule, condition, draw),
    ),
  };
}

/** Rows that cannot be read may be published as places of no answer (D143). */
const VOUCHED: readonly LiftableGuard[] = [
  ...(['issues', 'lost-features', 'row-drop', 'area-drop', 'change-share', 'canary'] as const),
];

const OF_COLUMNS: ReadonlySet<string> = new Set([
  ...['renamed-column', 'missing-column', 'retyped-column', 'odd-ends', 'odd-codes'],
]);

/** A column of the matrix is the portal's; each condition has its own that decide. */
function ownColumn(rule: Rule, { inForce, objectId, source }: Condition, draw: Random): Rule {
  if (rule.attribute === undefined || !OF_COLUMNS.has(rule.fault)) return rule;
  const { decides, begins, ends } = inForce;
  const deciding = [...decides.map(({ columns }) => columns), ...begins, ...ends, objectId];
  const { value: _, ...of } = rule;
  return {
    ...of,
    attribute: draw.pick([...deciding.map(([first = '']) => first), source.keyProperty]),
  };
}

function misread(properties: SampleFeature['properties']): SampleFeature['properties'] {
  const read = Object.entries(properties).map(([name, value]) => [
    name,
    typeof value === 'string' ? Buffer.from(value, 'utf8').toString('latin1') : value,
  ]);
  return Object.fromEntries(read) as SampleFeature['properties'];
}

export function describeConditionCase({
  number,
  condition,
  row,
  lifted,
  rules,
}: ConditionCase): string {
  return `${number}: ${condition.key} under ${row} ${JSON.stringify(rules)}, lifted: ${lifted.join()}`;
}

interface Verdict {
  readonly status: string;
  readonly inden_for: boolean | null;
  readonly afstand_m: number | null;
  readonly antal: number | null;
}

export interface ConditionWorld {
  readonly bench: SyncBench;
  readonly places: ReadonlyMap<ConditionId, readonly Point[]>;
  readonly truth: ReadonlyMap<ConditionId, readonly Verdict[]>;
}

export async function openConditionWorld(
  given?: Parameters<typeof openSyncBench>[0],
): Promise<ConditionWorld> {
  const bench = await openSyncBench(given);
  for (const layer of ['region', 'kommune', ...CONDITION_IDS] as const) {
    const outcome = await bench.sync(layer, { liftedGuards: LIFTABLE_GUARDS });
    if (!['published', 'unchanged'].includes(outcome.state)) throw new Error(told(outcome));
  }
  const places = new Map(CONDITION_IDS.map((id) => [id, placesOf(bench, id)]));
  const truth = new Map<ConditionId, readonly Verdict[]>();
  for (const [id, points] of places) truth.set(id, await answers(bench, id, points));
  return { bench, places, truth };
}

/** At the square where all lie, in and around some of the layer's objects, and where none is. */
function placesOf({ upstream }: SyncBench, id: ConditionId): readonly Point[] {
  const features = upstream.holdings.features(id).filter(({ geometry }) => geometry !== null);
  const draw = createRandom(`places of ${id}`);
  const some = Array.from({ length: 6 }, () => draw.pick(features)).flatMap(({ geometry }) => {
    const [x = 0, y = 0] = (geometry === null ? [] : linesOf(geometry)[0])?.[0] ?? [];
    return [
      [x, y],
      [x + 40, y + 40],
      [x - 300, y],
    ];
  });
  return [[PLANNED.x, PLANNED.y], ...some, [647_000, 6_312_000]].map(([x = 0, y = 0]) =>
    pointFromUtm32({ xUtm32: x, yUtm32: y }),
  );
}

async function answers({ store, deps }: SyncBench, id: ConditionId, points: readonly Point[]) {
  const { catalogue, clock } = deps;
  const { lookupsOf } = storeLookups(store, { catalogue, clock });
  const key = id.slice('forhold_'.length);
  const deadline = { signal: AbortSignal.timeout(HANG_MS) };
  const read = await lookupsOf(conditions).conditions.at(points, [key], deadline);
  return read.answers.map(({ layers }): Verdict => {
    const { status, inden_for, afstand_m, antal } = layers[key] as Verdict;
    return { status, inden_for, afstand_m, antal };
  });
}

export async function runConditionCase(
  world: ConditionWorld,
  given: ConditionCase,
): Promise<Ended> {
  const { bench } = world;
  const { deps, upstream } = bench;
  const { condition, lifted, row, rules } = given;
  const layer = conditionId(condition.key);
  const spoilt = OF_SOURCE[row];
  if (spoilt !== undefined) upstream.holdings.edit(layer, spoilt);
  upstream.faults.set(rules.map((rule) => ({ ...rule, layer })));
  const source = { tries: 1, pageTimeoutMs: 30_000 };
  const catalogue = overrideCatalogue(deps.catalogue, { [layer]: { source } });
  const outcome = await syncLayer({ ...deps, catalogue }, layer, {
    ...{ trigger: 'command', liftedGuards: lifted },
  });
  upstream.faults.clear();
  const after = await answers(bench, layer, world.places.get(layer) ?? []);
  const findings = after.flatMap((answer, n) =>
    differing(world.truth.get(layer)?.[n], answer, lifted),
  );
  upstream.holdings.restore(layer);
  if (outcome.state === 'published') await restore(world, layer);
  const guards = outcome.state === 'refused' ? outcome.refusals.map(({ guard }) => guard) : [];
  return { outcome: outcome.state, guards, findings };
}

/** Beyond the nearest object a row that was not read may lie uncounted (D143). */
function differing(
  truth: Verdict | undefined,
  answer: Verdict,
  lifted: readonly string[],
): readonly Finding[] {
  if (answer.status === 'utilgaengelig') return [];
  const counted = lifted.length > 0 ? { antal: null } : {};
  const [was, is] = [truth, answer].map((each) => JSON.stringify({ ...each, ...counted }));
  if (was === is) return [];
  const isNo = truth?.inden_for === true && answer.inden_for !== true;
  return [{ kind: isNo ? 'empty' : 'false', detail: `${is}, where it is ${was}` }];
}

async function restore(world: ConditionWorld, layer: ConditionId): Promise<void> {
  const outcome = await world.bench.sync(layer, { liftedGuards: LIFTABLE_GUARDS });
  const now = await answers(world.bench, layer, world.places.get(layer) ?? []);
  if (JSON.stringify(now) === JSON.stringify(world.truth.get(layer))) return;
  throw new Error(`${layer} cannot be restored: ${told(outcome)}`);
}
