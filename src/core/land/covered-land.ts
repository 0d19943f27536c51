import { remember } from '../../kernel/remember.ts';
import { ringsOfEdges } from '../../geo/land.ts';
import type { Corner, Land } from '../../geo/land.ts';
import { toWgs84 } from '../../geo/project.ts';
import { LINE_KEYS } from '../../layers/keys.ts';
import type { CoveredLands } from './covered-lands.ts';

export interface CoveredLand {
  readonly name: string;
  /** [longitude, latitude]; a place inside lies in an odd number of rings. */
  readonly rings: readonly (readonly (readonly [number, number])[])[];
}

/** Corners closer to the previous one, in metres, are not drawn. */
const DRAWN_APART_M = 20;
/** Decimals of a degree: some 10 cm. */
const DECIMALS = 6;

export async function coveredLand(lands: CoveredLands): Promise<readonly CoveredLand[]> {
  await lands.refresh();
  const distinct = new Set(lands.all(LINE_KEYS) ?? []);
  return [...distinct].flatMap((land) => (land === null ? [] : [drawn(land)]));
}

const known = new WeakMap<Land, CoveredLand>();

function drawn(land: Land): CoveredLand {
  const { name, shared } = land;
  return remember(known, land, () => ({ name, rings: ringsOfEdges(shared.edges).map(inDegrees) }));
}

function inDegrees(ring: readonly Corner[]): CoveredLand['rings'][number] {
  const kept: Corner[] = [];
  for (const corner of ring.slice(0, -1)) {
    const last = kept.at(-1);
    const isApart =
      last === undefined || Math.hypot(corner[0] - last[0], corner[1] - last[1]) >= DRAWN_APART_M;
    if (isApart) kept.push(corner);
  }
  const [first] = ring;
  if (first !== undefined) kept.push(first);
  return kept.map(([xUtm32, yUtm32]) => {
    const { lon, lat } = toWgs84({ xUtm32, yUtm32 });
    return [Number(lon.toFixed(DECIMALS)), Number(lat.toFixed(DECIMALS))];
  });
}
