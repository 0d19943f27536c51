/** Where addresses may be: on land of their municipality, within their postal district. */
import type { AreaId } from '../../../src/layers/keys.ts';
import { themeFeatures } from '../../data/areas.ts';
import { valueText } from '../../data/feature.ts';
import type { Place, Ring, SampleGeometry } from '../../data/geometry.ts';
import { envelopeOf, ringHolds } from '../../data/geometry.ts';
import type { Random } from '../../data/random.ts';

/** Four digits each. */
export interface Ground {
  readonly municipality: string;
  readonly postcode: string;
}

export interface Grounds {
  holds(ground: Ground, place: Place): boolean;
  placeIn(ground: Ground): Place;
}

export function createGrounds(random: Random): Grounds {
  const byCode = (id: AreaId, column: string): ReadonlyMap<string, SampleGeometry> =>
    new Map(
      themeFeatures(id).flatMap(({ properties, geometry }) =>
        properties['skala'] === '1:10.000' && geometry !== null
          ? [[(valueText(properties[column]) ?? '').padStart(4, '0'), geometry] as const]
          : [],
      ),
    );
  const municipalities = byCode('kommune', 'kommunekode');
  const districts = byCode('postnummer', 'postnummer');
  const holds = ({ municipality, postcode }: Ground, place: Place): boolean =>
    isOn(municipalities.get(municipality), place) && isOn(districts.get(postcode), place);
  return {
    holds,
    placeIn: (ground) => {
      const land = municipalities.get(ground.municipality);
      if (land === undefined) throw new Error(`No ground of ${ground.municipality}`);
      const box = envelopeOf(land);
      for (;;) {
        const place = {
          x: random.between(box.minX, box.maxX),
          y: random.between(box.minY, box.maxY),
        };
        if (holds(ground, place)) return place;
      }
    },
  };
}

function isOn(ground: SampleGeometry | undefined, place: Place): boolean {
  if (ground?.type !== 'MultiPolygon') return false;
  return ground.coordinates.some(
    (rings: readonly Ring[]) => rings.filter((line) => ringHolds(line, place)).length % 2 === 1,
  );
}
