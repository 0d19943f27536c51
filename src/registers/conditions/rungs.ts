/** Memory measures where it holds every requested layer, else the store (D219). */
import { wkbType } from '../../geo/wkb.ts';
import type { SnapshotSet } from '../../core/held/snapshot-set.ts';
import type { LayerId } from '../../layers/keys.ts';
import { isHeld, readHeld } from './index/held.ts';
import type { PlacesQuestion, PlacesRead } from './store.ts';

export interface RungDeps {
  readonly memory: () => SnapshotSet | null;
  readonly read: (question: PlacesQuestion) => Promise<PlacesRead>;
  /** An unsound area goes to the store, which repairs or refuses it. */
  readonly isSound: (wkb: Uint8Array) => Promise<boolean>;
}

const POINT = 1;

/**
 * null: neither answers. A mirrored layer that is not in memory leads to the store, whose answers
 * are of one generation.
 */
export async function readRungs(
  { memory, read, isSound }: RungDeps,
  question: PlacesQuestion,
  onStoreFailed: (error: unknown) => void,
): Promise<PlacesRead | null> {
  const set = memory();
  const layers = question.layers.filter((layer) => set !== null && isHeld(set, layer));
  const areas = question.wkbs.filter((wkb) => wkbType(wkb) !== POINT);
  const sound = layers.length === 0 ? [] : await Promise.all(areas.map(isSound));
  const mayHold = set !== null && layers.length > 0 && !sound.includes(false);
  const isStored = (layer: LayerId) =>
    set === null || set.layers.has(layer) || set.isOnlyStored(layer);
  if (!mayHold || question.layers.some((layer) => !layers.includes(layer) && isStored(layer))) {
    const stored = await read(question).catch((error: unknown) => {
      onStoreFailed(error);
      return null;
    });
    if (!mayHold || stored !== null) return stored;
  }
  return await readHeld(set, { ...question, layers });
}
