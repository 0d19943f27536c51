/** Fifteen conditions at national size: counts as far as they are known, sizes and vertices by our estimate. */
import { multiPolygonWkb } from '../../src/geo/wkb.ts';
import { conditionId, CONDITIONS } from '../../src/layers/conditions/index.ts';
import type { ConditionId } from '../../src/layers/conditions/condition.ts';
import { LayerSnapshotBuilder } from '../../src/snapshot/build-layer.ts';
import type { SnapshotFeature } from '../../src/snapshot/build-layer.ts';
import type { Land } from './land.ts';
import { shapesOf } from './lines.ts';
import type { Recipe } from './lines.ts';

const RECIPES: Readonly<Record<string, Recipe>> = {
  zone: { count: 9_000, vertices: 260, sizeM: 900, shape: 'holed' },
  lokalplan: { count: 38_000, vertices: 60, sizeM: 170, shape: 'holed' },
  lokalplan_forslag: { count: 500, vertices: 60, sizeM: 170, shape: 'blob' },
  lokalplandelomraade: { count: 62_000, vertices: 34, sizeM: 90, shape: 'blob' },
  kommuneplanramme: { count: 40_000, vertices: 90, sizeM: 260, shape: 'blob' },
  byggefelt: { count: 45_000, vertices: 9, sizeM: 22, shape: 'blob' },
  jord_v1: { count: 20_600, vertices: 14, sizeM: 35, shape: 'blob' },
  jord_v2: { count: 23_700, vertices: 16, sizeM: 40, shape: 'blob' },
  jord_nuancering: { count: 4_500, vertices: 10, sizeM: 20, shape: 'blob' },
  omraadeklassificering: { count: 2_500, vertices: 420, sizeM: 900, shape: 'holed' },
  drikkevandsinteresse: { count: 900, vertices: 6_000, sizeM: 2_400, shape: 'holed' },
  bnbo: { count: 4_600, vertices: 70, sizeM: 250, shape: 'circle' },
  indvindingsopland: { count: 3_000, vertices: 240, sizeM: 900, shape: 'blob' },
  kloakopland: { count: 32_000, vertices: 120, sizeM: 240, shape: 'blob' },
  fredning: { count: 4_200, vertices: 110, sizeM: 300, shape: 'blob' },
};

export const NATIONAL_CONDITIONS: readonly ConditionId[] = Object.keys(RECIPES).map(conditionId);

export interface GeneratedCondition extends Omit<SnapshotFeature, 'attributes'> {
  readonly values: Readonly<Record<string, string | number>>;
}

/** One in fifty begins in a time to come. */
export function* conditionFeatures(land: Land, id: ConditionId): Generator<GeneratedCondition> {
  const key = id.slice('forhold_'.length);
  const { fields = [] } = CONDITIONS.find((each) => each.key === key) ?? {};
  let n = 0;
  for (const { rings } of shapesOf(land, id, { recipe: RECIPES[key]! })) {
    const values = fields.map(({ name, kind }) => [
      name,
      kind === 'number' ? n % 90 : valueOf(n, name),
    ]);
    yield {
      ...{ key: String(n), objectId: String(n), standing: 'in_force', adopted: true },
      values: Object.fromEntries(values) as GeneratedCondition['values'],
      ...{ areaM2: 1000, wkb: multiPolygonWkb([rings]) },
    };
    n += 1;
  }
}

/** A number of its own, a name that some share, a code. */
function valueOf(n: number, name: string): string {
  if (/nr|id$/.test(name)) return `${n}`;
  return /navn|dokument/.test(name) ? `https://example.dk/${name}/${n % 20_000}` : `${n % 7}`;
}

export function dayOf(n: number): string {
  return n % 50 === 49 ? '2090-01-01' : `20${String(10 + (n % 15))}-0${1 + (n % 9)}-01`;
}

export function conditionSnapshot(land: Land, id: ConditionId): SharedArrayBuffer {
  const builder = new LayerSnapshotBuilder({ layer: id, geometry: 'area', version: 1 });
  for (const { values, ...feature } of conditionFeatures(land, id)) {
    const attributes = { validFrom: dayOf(Number(feature.key)), validTo: null, values };
    builder.add({ ...feature, attributes: JSON.stringify(attributes) });
  }
  return builder.finish();
}
