/** How scattered features differ from the plain case, in shares seen or feared in the registers. */
import type { SampleFeature } from './feature.ts';
import type { SampleGeometry } from './geometry.ts';
import { withHeight } from './geometry.ts';
import type { PortalPlan } from './portal.ts';
import { portalFeature, STATUS } from './portal.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';
import type { PortalLayer } from './schemas.ts';

/** What about one in eight rows is: not adopted, cancelled, ended, or not public. */
export function drawStanding(random: Random): Partial<PortalPlan> {
  const roll = random.next();
  if (roll < 0.02) return { status: STATUS.unknown };
  if (roll < 0.03) return { status: STATUS.draft };
  if (roll < 0.05) return { status: STATUS.proposed };
  if (roll < 0.08) return { status: STATUS.cancelled };
  if (roll < 0.11) return { ended: true };
  if (roll < 0.12) return { visibility: 2 };
  return roll < 0.13 ? { visibility: 3 } : {};
}

/** One in ten geometries has a third ordinate. */
export function sometimesHigh(random: Random, geometry: SampleGeometry): SampleGeometry {
  return random.chance(0.1) ? withHeight(geometry) : geometry;
}

export type Drawn = Pick<PortalPlan, 'geometry' | 'own'>;

/** A scattered feature by its name. */
export function drawn(
  layer: PortalLayer,
  name: string,
  draw: (random: Random) => Drawn,
): SampleFeature {
  const random = createRandom(`${layer}/${name}`);
  const plan = draw(random);
  const geometry = plan.geometry && sometimesHigh(random, plan.geometry);
  return portalFeature(layer, { name, ...plan, geometry, ...drawStanding(random) });
}
