/** Geometries of places, in the file next to their index, each verified by its CRC-32. */
import { crc32 } from 'node:zlib';
import { ringsOfWkb } from '../../../geo/wkb.ts';
import type { RingSink } from '../../../geo/wkb.ts';
import { cacheByBytes } from '../../../kernel/cache.ts';
import { diskReads } from '../../../kernel/disk-reads.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { SnapshotRefused } from '../../../snapshot/format.ts';
import { HeldFile } from '../../../snapshot/files.ts';

export interface ShapeColumns {
  readonly ends: Float64Array;
  readonly sums: Uint32Array;
}

export class PlaceShapes extends HeldFile {
  readonly #columns: ShapeColumns;
  /** Large geometries contain many points, and each question would read them again. */
  readonly #kept = cacheByBytes<RingSink>(
    LIMITS.places.keptShapeBytes,
    ({ xy }) => xy.items.byteLength,
  );

  constructor(path: string, columns: ShapeColumns) {
    super(path, columns.ends.at(-1) ?? 0, 'geometries');
    this.#columns = columns;
  }

  /**
   * Call within `hold`. Rejects with SnapshotRefused where it is damaged, DiskSilent where the disk
   * hangs.
   */
  async wkb(place: number): Promise<Uint8Array> {
    const { ends, sums } = this.#columns;
    const from = place === 0 ? 0 : ends[place - 1]!;
    const length = ends[place]! - from;
    const buffer = Buffer.alloc(length);
    const bytesRead = await diskReads.read(this.file, buffer, from);
    if (bytesRead !== length || crc32(buffer) !== sums[place]) {
      throw new SnapshotRefused(`the geometry of place ${place} is damaged`);
    }
    return buffer;
  }

  /** Call within `hold`. */
  async rings(place: number): Promise<RingSink> {
    const kept = this.#kept.get(String(place));
    if (kept !== undefined) return kept;
    const rings = ringsOfWkb(await this.wkb(place));
    this.#kept.set(String(place), rings);
    return rings;
  }
}
