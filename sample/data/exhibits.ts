/**
 * The exhibits: features with round measures on the sites kept free for them, so that the answers
 * at the example points can be worked out by hand. Offsets are metres east and north of the site.
 */
import type { SampleFeature } from './feature.ts';
import type { Place, Position, Ring, SampleGeometry } from './geometry.ts';
import {
  boxRing,
  multiLine,
  multiPolygon,
  position,
  reversed,
  ring,
  roundRing,
} from './geometry.ts';
import { SITES } from './island.ts';
import { monumentFeature } from './monuments.ts';
import type { Code, PortalPlan } from './portal.ts';
import { portalFeature, STATUS } from './portal.ts';
import { createRandom } from './random.ts';
import { dykeValues } from './streams.ts';
import { forestValues, natureValues } from './zones.ts';

type Sides = readonly [minX: number, minY: number, maxX: number, maxY: number];

/** A rectangle with rectangular holes, as one MultiPolygon. */
function rectangle(site: Place, sides: Sides, ...holes: readonly Sides[]): SampleGeometry {
  const ringOf = ([minX, minY, maxX, maxY]: Sides): Ring =>
    boxRing(site, { minX, minY, maxX, maxY });
  return multiPolygon([ringOf(sides), ...holes.map((hole) => reversed(ringOf(hole)))]);
}

/** `east north` pairs with commas between them. */
function offsets(site: Place, text: string): Position[] {
  return text.split(', ').map((pair) => {
    const [east = NaN, north = NaN] = pair.split(' ').map(Number);
    return position({ x: site.x + east, y: site.y + north });
  });
}

/** An adopted zone with a hole, a proposed one over its edge, repealed and hidden ones around. */
export function forestExhibits(): SampleFeature[] {
  const site = SITES.forest;
  const forest = (
    name: string,
    geometry: SampleGeometry,
    plan: Partial<PortalPlan> & { repealed?: boolean } = {},
  ): SampleFeature => {
    const { repealed = false, ...rest } = plan;
    const own = forestValues(createRandom(`skov/${name}`), repealed);
    return portalFeature('skov', { name, geometry, own, ...rest });
  };
  return [
    forest('site-adopted', rectangle(site, [-200, -150, 200, 150], [-120, -40, -40, 40])),
    forest('site-proposed', rectangle(site, [100, -100, 500, 100]), { status: STATUS.proposed }),
    forest('site-repealed', rectangle(site, [-200, -450, 200, -250]), { repealed: true }),
    forest('site-cancelled', rectangle(site, [-200, 250, 200, 450]), { status: STATUS.cancelled }),
    forest('site-ended', rectangle(site, [-600, -50, -400, 50]), { ended: true }),
    forest('site-hidden', rectangle(site, [-600, 100, -400, 200]), { visibility: 3 }),
  ];
}

/** Two dykes in force, one cancelled, a stream, a lake line only proposed, a monument in two zones. */
export function dykeExhibits(): Record<
  'dige' | 'vandloeb' | 'soe' | 'fortidsminde',
  SampleFeature[]
> {
  const site = SITES.dyke;
  const along = (y: number): Ring => offsets(site, `-100 ${y}, 0 ${y}, 100 ${y}`);
  const dyke = (name: string, y: number, status: Code, number: number): SampleFeature =>
    portalFeature('dige', {
      name,
      geometry: multiLine(along(y)),
      status,
      own: {
        ...dykeValues(createRandom(`dige/${name}`), number),
        Beskyt_kode: '1;4',
        Digetypebeskrivelse: 'Stendige',
      },
    });
  const mound = (zone: number, x: number): SampleFeature =>
    monumentFeature({
      zone,
      locality: 9_990_001,
      geometry: multiPolygon([roundRing({ x: site.x + x, y: site.y }, 72, () => 110)]),
    });
  return {
    dige: [
      dyke('site-adopted', 0, STATUS.adopted, 1001),
      dyke('site-unknown', 200, STATUS.unknown, 1002),
      dyke('site-cancelled', -200, STATUS.cancelled, 1003),
    ],
    vandloeb: [portalFeature('vandloeb', { name: 'site', geometry: multiLine(along(300)) })],
    soe: [
      portalFeature('soe', {
        name: 'site-proposed',
        geometry: rectangle(site, [300, -100, 500, 100]),
        status: STATUS.proposed,
        own: { Op_aars_k: 0, Op_aarsag: 'Ikke udfyldt' },
      }),
    ],
    fortidsminde: [mound(9_790_001, -300), mound(9_790_002, -220)],
  };
}

/** A bog with a lake in it, two shapes that are not valid polygons, two not adopted. */
export function natureExhibits(): SampleFeature[] {
  const site = SITES.nature;
  type Plan = Pick<PortalPlan, 'geometry' | 'status'>;
  const nature = (name: string, type: Code, plan: Plan): SampleFeature => {
    const own = natureValues(createRandom(`natur/${name}`), type);
    return portalFeature('natur', { name, own, ...plan });
  };
  return [
    nature('site-bog', [3, 'Mose'], { geometry: rectangle(site, [-100, -100, 100, 100]) }),
    nature('site-lake', [6, 'Sø'], { geometry: rectangle(site, [-20, -20, 20, 20]) }),
    nature('site-bow-tie', [1, 'Eng'], { geometry: multiPolygon([bowTie(site)]) }),
    nature('site-pinched', [2, 'Hede'], { geometry: multiPolygon([pinched(site)]) }),
    nature('site-proposed', [4, 'Overdrev'], {
      geometry: rectangle(site, [-100, 200, 100, 300]),
      status: STATUS.proposed,
    }),
    nature('site-unknown', [0, 'Ukendt'], {
      geometry: rectangle(site, [150, 200, 250, 300]),
      status: STATUS.unknown,
    }),
  ];
}

/** Crosses itself in the middle: two triangles once repaired. */
function bowTie(site: Place): Ring {
  return ring(offsets(site, '200 0, 300 100, 300 0, 200 100'));
}

/** Touches itself at the top and so walls in a triangle: a hole once repaired. */
function pinched(site: Place): Ring {
  return ring(
    offsets(site, '-300 -100, -200 -100, -200 0, -250 0, -220 -50, -280 -50, -250 0, -300 0'),
  );
}
