/**
 * Parcels of a country in a net without gaps, each of sixteen crooked edges that it shares with its
 * neighbours: the same on every machine.
 */
import type { PointUtm32 } from '../../src/geo/point.ts';
import { multiPolygonWkb } from '../../src/geo/wkb.ts';
import type {
  ExportedDistrict,
  ExportedParcel,
} from '../../src/registers/cadastre/index/build-parcels.ts';
import { randomFrom } from './land.ts';

export const NATIONAL_PARCELS = 2_600_000;
const DISTRICTS = 9_000;
const FIRST_DISTRICT_CODE = 10_000;
const MUNICIPALITIES = 98;
const [WEST, SOUTH] = [450_000, 6_050_000];
const SIDE_M = 128;
const STEPS = 4;
/** A vertex lies at most half as far from its place in the net, metres. */
const MOVED_M = 16;

export type GeneratedParcel = ExportedParcel & { readonly wkb: Uint8Array };

export class ParcelNet {
  readonly count: number;
  readonly #columns: number;

  constructor(count: number) {
    this.count = count;
    this.#columns = Math.ceil(Math.sqrt(count));
  }

  districts(): readonly ExportedDistrict[] {
    return Array.from({ length: DISTRICTS }, (_, n) => ({
      id: n + 1,
      code: FIRST_DISTRICT_CODE + n,
      name: `Opdigtede ${String.fromCharCode(97 + (n % 26))}marker By, ${n}`,
    }));
  }

  parcel(n: number): GeneratedParcel {
    const [whole, letter] = [1 + (Math.floor(n / DISTRICTS) % 60), Math.floor(n / DISTRICTS / 60)];
    return {
      id: n + 1,
      number: `${whole}${letter === 0 ? '' : String.fromCharCode(96 + letter)}`,
      bfe: 1_000_000 + n,
      district_id: 1 + (n % DISTRICTS),
      area: SIDE_M * SIDE_M,
      municipality_code: String(1 + (n % MUNICIPALITIES)).padStart(4, '0'),
      wkb: multiPolygonWkb([[this.#ring(n)]]),
    };
  }

  *parcels(): Generator<GeneratedParcel, undefined> {
    for (let n = 0; n < this.count; n++) yield this.parcel(n);
  }

  /** Each in a parcel, or on its edge. */
  points(count: number, seed: number): readonly PointUtm32[] {
    const random = randomFrom(seed);
    const rows = Math.floor(this.count / this.#columns);
    return Array.from({ length: count }, () => ({
      xUtm32: WEST + MOVED_M + random() * (this.#columns * SIDE_M - 2 * MOVED_M),
      yUtm32: SOUTH + MOVED_M + random() * (rows * SIDE_M - 2 * MOVED_M),
    }));
  }

  #ring(n: number): readonly number[] {
    const [column, row] = [STEPS * (n % this.#columns), STEPS * Math.floor(n / this.#columns)];
    return Array.from({ length: 4 * STEPS + 1 }, (_, i) => {
      const [side, along] = [Math.floor(i / STEPS) % 4, i % STEPS];
      const dx = [along, STEPS, STEPS - along, 0][side]!;
      const dy = [0, along, STEPS, STEPS - along][side]!;
      return vertex(column + dx, row + dy);
    }).flat();
  }
}

/** In whole millimetres, as the cadastre delivers. */
function vertex(column: number, row: number): readonly [number, number] {
  const moved = (salt: number) => {
    const hash = Math.imul((column * 73_856_093) ^ (row * 19_349_663) ^ salt, 0x9e37_79b1) >>> 0;
    return (hash / 2 ** 32 - 0.5) * MOVED_M;
  };
  const step = SIDE_M / STEPS;
  const [x, y] = [WEST + column * step + moved(1), SOUTH + row * step + moved(2)];
  return [Math.round(x * 1000) / 1000, Math.round(y * 1000) / 1000];
}
