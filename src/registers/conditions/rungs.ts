/** Which rung measures a layer: memory where it holds it, else the store, all of one generation (D19, D219). */
import { wkbType } from '../../geo/wkb.ts';
import type { SnapshotSet } from '../../core/held/snapshot-set.ts';
import type { LayerId } from '../../layers/keys.ts';
import { isHeld, readHeld } from './index/held.ts';
import { ZONES } from './store.ts';
import type { PlacesQuestion, PlacesRead } from './store.ts';

export interface RungDeps {
  /** null: the store measures. */
  readonly memory: () => SnapshotSet | null;
  /** Throws when the store does not answer. */
  readonly read: (question: PlacesQuestion) => Promise<PlacesRead>;
  /** Whether an area may be measured as it is; the store repairs the others, or says what is wrong. */
  readonly isSound: (wkb: Uint8Array) => Promise<boolean>;
}

const POINT = 1;

/** null: neither answers. */
export async function readRungs(
  { memory, read, isSound }: RungDeps,
  question: PlacesQuestion,
  onStoreFailed: (error: unknown) => void,
): Promise<PlacesRead | null> {
  const set = memory();
  const { layers, wkbs } = question;
  const fromStore = (some: readonly LayerId[]) =>
    read({ ...question, layers: some }).catch((error: unknown) => {
      onStoreFailed(error);
      return null;
    });
  if (set === null || !layers.some((layer) => isHeld(set, layer))) return await fromStore(layers);
  const areas = wkbs.filter((wkb) => wkbType(wkb) !== POINT);
  const sound = await Promise.all(areas.map(isSound));
  if (sound.includes(false)) return await fromStore(layers);
  const elsewhere = layers.filter((layer) => !isHeld(set, layer) && mayBeStored(set, layer));
  const held = await readHeld(set, {
    ...question,
    layers: layers.filter((each) => isHeld(set, each)),
  });
  const stored = elsewhere.length === 0 ? null : await fromStore(elsewhere);
  if (stored === null) return held;
  const isMirrored = [...stored.copies.values()].some((copy) => copy !== null);
  if (isMirrored && stored.generation !== set.generation) return (await fromStore(layers)) ?? held;
  return {
    ...held,
    copies: new Map([...held.copies, ...stored.copies]),
    found: held.found.map((found, n) => new Map([...found, ...(stored.found[n] ?? [])])),
    hasZones: isHeld(set, ZONES) ? held.hasZones : stored.hasZones,
  };
}

function mayBeStored(set: SnapshotSet, layer: LayerId): boolean {
  return set.layers.has(layer) || set.isOnlyStored(layer);
}
