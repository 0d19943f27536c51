/** The heritage agency's zones: near-circles of 100 m round monuments, some localities with several. */
import type { SampleFeature } from './feature.ts';
import type { Place, SampleGeometry } from './geometry.ts';
import { multiPolygon, roundRing } from './geometry.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';
import { scatterPlace } from './scatter.ts';
import { sometimesHigh } from './variety.ts';

const MONUMENTS = 160;
const TYPES = ['Rundhøj', 'Langhøj', 'Dysse', 'Jættestue', 'Voldsted', 'Ruin'] as const;
const DATINGS = ['Oldtid', 'Stenalder', 'Bronzealder', 'Jernalder', 'Udateret'] as const;

export interface MonumentPlan {
  /** Serial of the zone: the layer's key. */
  readonly zone: number;
  /** Locality number: one locality can have several zones. */
  readonly locality: number;
  readonly geometry: SampleGeometry;
}

export function monumentZones(): SampleFeature[] {
  const features: SampleFeature[] = [];
  let zone = 9_700_000;
  for (let i = 0; i < MONUMENTS; i++) {
    const random = createRandom(`fortidsminde/${i}`);
    const place = scatterPlace(random, 400);
    const zones = random.chance(0.2) ? 3 : 1;
    for (let n = 0; n < zones; n++) {
      zone += 1;
      const centre = { x: place.x + 90 * n, y: place.y + 20 * n };
      const geometry = sometimesHigh(random, zoneRound(random, centre));
      features.push(monumentFeature({ zone, locality: 9_900_001 + i, geometry }));
    }
  }
  return features;
}

function zoneRound(random: Random, centre: Place): SampleGeometry {
  const mound = random.between(5, 20);
  return multiPolygon([roundRing(centre, 36, () => 100 + mound)]);
}

export function monumentFeature({ zone, locality, geometry }: MonumentPlan): SampleFeature {
  const random = createRandom(`fortidsminde/attributes/${zone}`);
  return {
    id: `fundogfortidsminder_areal_beskyttelse.${zone}`,
    properties: {
      id: zone - 9_700_000,
      beskyttelse_areal_lbnr: zone,
      systemnr: locality,
      stednr: '990101',
      loknr: String(locality % 1000),
      sbext: null,
      frednr: String(990_000 + (zone % 10_000)),
      anlaegstype: random.pick(TYPES),
      datering: random.pick(DATINGS),
      fred_status: random.chance(0.7) ? 'Fredet' : null,
      url: random.chance(0.9) ? `https://fortidsminder.example.org/Lokalitet/${locality}` : null,
    },
    geometry,
  };
}
