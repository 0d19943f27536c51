/** The length along points that the reader chooses, metres of EPSG:25832. */
import { metresOf } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import { metres } from '../shared/format.ts';
import { t } from '../shared/language.ts';

export function measuredWords(points: readonly Place[]): string {
  if (points.length < 2)
    return t('Vælg punkter i kortet; Esc slutter.', 'Choose points on the map; Escape ends.');
  const [first = [0, 0], ...others] = points.map(metresOf);
  let [[fromX, fromY], length] = [first, 0];
  for (const [x, y] of others) {
    length += Math.hypot(x - fromX, y - fromY);
    [fromX, fromY] = [x, y];
  }
  return metres(length);
}
