/** Neighbours in order are neighbours on the ground, so most stretches are skipped. */
import { emptyBoxes, widen } from '../../geo/bounds.ts';
import type { Box } from '../../geo/box.ts';
import type { Outlines } from './shapes.ts';

const PER_STRETCH = 64;

export class FeatureBoxes {
  readonly #count: number;
  /** West, south, east, north. */
  readonly #boxes: Float64Array;
  readonly #stretches: Float64Array;

  constructor({ meta, xy, ringStarts, featureRings }: Outlines) {
    this.#count = meta.featureCount;
    this.#boxes = emptyBoxes(this.#count);
    this.#stretches = emptyBoxes(Math.ceil(this.#count / PER_STRETCH));
    for (let feature = 0; feature < this.#count; feature++) {
      const until = ringStarts[featureRings[feature + 1]!]!;
      for (let vertex = ringStarts[featureRings[feature]!]!; vertex < until; vertex++) {
        widen(this.#boxes, 4 * feature, xy[2 * vertex]!, xy[2 * vertex + 1]!);
      }
      const { minX, minY, maxX, maxY } = this.of(feature);
      const stretch = 4 * Math.floor(feature / PER_STRETCH);
      widen(this.#stretches, stretch, minX, minY);
      widen(this.#stretches, stretch, maxX, maxY);
    }
  }

  /** Without geometry, a box that meets none. */
  of(feature: number): Box {
    const at = 4 * feature;
    return {
      minX: this.#boxes[at]!,
      minY: this.#boxes[at + 1]!,
      maxX: this.#boxes[at + 2]!,
      maxY: this.#boxes[at + 3]!,
    };
  }

  within(box: Box, most: number): number[] {
    const found: number[] = [];
    for (let stretch = 0; 4 * stretch < this.#stretches.length; stretch++) {
      if (!meets(this.#stretches, 4 * stretch, box)) continue;
      const end = Math.min(this.#count, (stretch + 1) * PER_STRETCH);
      for (let feature = stretch * PER_STRETCH; feature < end; feature++) {
        if (!meets(this.#boxes, 4 * feature, box)) continue;
        if (found.length === most) return found;
        found.push(feature);
      }
    }
    return found;
  }

  /** null: no geometry. */
  whole(): Box | null {
    const box = emptyBoxes(1);
    for (let at = 0; at < this.#stretches.length; at += 4) {
      widen(box, 0, this.#stretches[at]!, this.#stretches[at + 1]!);
      widen(box, 0, this.#stretches[at + 2]!, this.#stretches[at + 3]!);
    }
    const [minX = 0, minY = 0, maxX = 0, maxY = 0] = box;
    return minX > maxX ? null : { minX, minY, maxX, maxY };
  }
}

function meets(boxes: Float64Array, at: number, { minX, minY, maxX, maxY }: Box): boolean {
  return (
    boxes[at]! <= maxX && boxes[at + 2]! >= minX && boxes[at + 1]! <= maxY && boxes[at + 3]! >= minY
  );
}
