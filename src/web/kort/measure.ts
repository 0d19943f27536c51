/** Measures along points that the reader chooses, metres of EPSG:25832. */
import { metresOf } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import { metres } from '../shared/format.ts';
import { t } from '../shared/language.ts';

export class Measure {
  readonly #onChange: (points: readonly Place[], words: string) => void;
  #points: readonly Place[] | null = null;

  constructor(onChange: (points: readonly Place[], words: string) => void) {
    this.#onChange = onChange;
  }

  get isOn(): boolean {
    return this.#points !== null;
  }

  toggle(isOn: boolean): void {
    this.#points = isOn ? [] : null;
    this.#tell();
  }

  add(point: Place): void {
    this.#points = [...(this.#points ?? []), point];
    this.#tell();
  }

  #tell(): void {
    const points = this.#points;
    this.#onChange(points ?? [], points === null ? '' : wordsOf(points));
  }
}

function wordsOf(points: readonly Place[]): string {
  if (points.length < 2)
    return t('Vælg punkter i kortet; Esc slutter.', 'Choose points on the map; Escape ends.');
  return metres(lengthOf(points));
}

export function lengthOf(points: readonly Place[]): number {
  return points.map(metresOf).reduce((sum, [x, y], at, all) => {
    const [fromX, fromY] = all[at - 1] ?? [x, y];
    return sum + Math.hypot(x - fromX, y - fromY);
  }, 0);
}
