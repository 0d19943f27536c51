import { boundsAround } from './bounds.ts';
import type { Bounds } from './bounds.ts';
import { HILBERT_SIDE, hilbertPosition } from './hilbert.ts';

/** At most `most`: consecutive boxes along a Hilbert curve are merged. */
export function mergedBoxes(boxes: readonly Bounds[], most: number): readonly Bounds[] {
  if (boxes.length <= most) return boxes;
  const [west, south, east, north] = boundsAround(boxes);
  const scale = (HILBERT_SIDE - 1) / Math.max(east - west, north - south, 1);
  const sorted = boxes
    .map((box) => {
      const [column, row] = [(box[0] + box[2]) / 2 - west, (box[1] + box[3]) / 2 - south];
      return { box, position: hilbertPosition(column * scale, row * scale) };
    })
    .sort((a, b) => a.position - b.position);
  const size = Math.ceil(boxes.length / most);
  const merged: Bounds[] = [];
  for (let at = 0; at < sorted.length; at += size) {
    merged.push(boundsAround(sorted.slice(at, at + size).map(({ box }) => box)));
  }
  return merged;
}
