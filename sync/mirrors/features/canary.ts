/**
 * The same points of the published copy and of the stage detect what counts cannot, such as swapped
 * areas. Read-only.
 */
import { firstValue, oneRow } from '../../../src/db/rows.ts';
import type { Store } from '../../../src/db/connect.ts';
import { toUtm32 } from '../../../src/geo/project.ts';
import type { Layer } from '../../../src/layers/catalogue.ts';
import { rememberedCanary } from '../../dated/canary-memo.ts';
import type { CanaryCounts } from './feature-rows.ts';
import { publishedKeys, rowsOf } from './rows-of.ts';

interface StagedRun {
  readonly id: string;
  readonly layer: Layer;
}

/**
 * How many points the stage would answer differently. Points derive from the published rows; none
 * before the first version.
 */
export async function askCanary(db: Store['db'], run: StagedRun): Promise<CanaryCounts> {
  const { id, layer } = run;
  const { canary, isForeseen } = rowsOf(layer);
  const ask = async (): Promise<CanaryCounts> => {
    return await oneRow<CanaryCounts>(db)`
      ${canary(id, layer)}
      select count(*)::integer as "canaryAsked",
        (count(*) filter (where before is distinct from after))::integer as "canaryChanged"
      from answered`;
  };
  if (!isForeseen) return await ask();
  const of = { runId: id, layer: layer.id, copy: publishedKeys(layer) };
  return await rememberedCanary(db, { ...of, explained: { before: [], after: [] } }, ask);
}

export async function askPlaces(db: Store['db'], { id, layer }: StagedRun) {
  const { knownPlaces } = layer.guards;
  if (knownPlaces.length === 0) return { placesAsked: 0, placesWrong: 0 };
  const points = knownPlaces.map(toUtm32);
  const placesWrong = await firstValue(db, knownPlaces.length)`
    select count(*)::integer as wrong
    from unnest(${knownPlaces.map(({ code }) => code)}::text[],
      ${points.map(({ xUtm32 }) => xUtm32)}::float8[],
      ${points.map(({ yUtm32 }) => yUtm32)}::float8[]) as k(code, x, y)
    where not exists (
      select from stage_feature s
      where s.run_id = ${id} and s.attributes->>'code' = k.code
        and ST_Covers(s.geom, ST_SetSRID(ST_MakePoint(k.x, k.y), 25832)))`;
  return { placesAsked: knownPlaces.length, placesWrong };
}
