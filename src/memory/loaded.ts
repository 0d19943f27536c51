/** Both loaders of a process as one: what of it answers now, how that looks, and when it is there. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ADDRESSES, PLACE_NAMES } from '../layers/keys.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { PublishedCopy } from '../layers/published-copy.ts';
import type { AddressLoader } from '../registers/addresses/load.ts';
import type { PlaceLoader } from '../registers/places/load.ts';
import type { PropertiesInService, PropertyLoader } from '../registers/property/load.ts';
import type { LayerLoader } from './layer-loader.ts';
import type { AuditView } from './snapshot-audit.ts';

/** null: nothing answers from memory in this process. */
export interface Loaders {
  readonly memory: LayerLoader | null;
  readonly addressMemory: AddressLoader | null;
}

/** With what is not waited for: the file of properties, which answers where it is there, and the place names. */
export interface AllLoaders extends Loaders {
  readonly propertyMemory: PropertyLoader | null;
  readonly placeMemory: PlaceLoader | null;
}
type InService = {
  readonly [K in keyof Loaders]: Pick<NonNullable<Loaders[K]>, 'current'> | null;
} & { readonly placeMemory?: Pick<PlaceLoader, 'current'> | null };

/** Every copy that answers from memory, and the newest generation that memory has seen. */
export function copiesInService(loaders: InService) {
  const inService = [layersOf(loaders), addressesOf(loaders), placesOf(loaders)];
  const copies = inService.flat();
  const generation = Math.max(
    loaders.memory?.current?.generation ?? 0,
    ...copies.map((each) => each.generation),
  );
  return { generation, copies };
}

interface CopyInService {
  readonly mirror: MirrorId;
  readonly copy: PublishedCopy;
  readonly generation: number;
  readonly rowCount: number;
}

function layersOf({ memory }: InService): readonly CopyInService[] {
  const set = memory?.current ?? null;
  if (set === null) return [];
  return [...set.layers].map(([mirror, { copy, snapshot }]) => ({
    ...{ mirror, copy, generation: set.generation, rowCount: snapshot.meta.featureCount },
  }));
}

function addressesOf({ addressMemory }: InService): readonly CopyInService[] {
  const index = addressMemory?.current ?? null;
  if (index === null) return [];
  return [{ ...index, mirror: ADDRESSES, rowCount: index.finder.addressIndex.accessCount }];
}

function placesOf({ placeMemory }: InService): readonly CopyInService[] {
  const index = placeMemory?.current ?? null;
  if (index === null) return [];
  return [{ ...index, mirror: PLACE_NAMES, rowCount: index.finder.placeCount }];
}

/** Snapshots, the index of addresses and that of the properties' file: what answers without the store. */
export function viewOfLoaded(
  { memory, addressMemory, propertyMemory, placeMemory }: AllLoaders,
  audit: { view(): AuditView } | null,
) {
  if (memory === null) return null;
  const { layers, bytes, ...view } = memory.view();
  const registers = [addressMemory?.view(), propertyMemory?.view(), placeMemory?.view()].filter(
    (each) => each !== undefined,
  );
  return {
    ...view,
    layers: [...layers, ...registers.flatMap((each) => each.layers)],
    suspended: [...view.suspended, ...registers.flatMap((each) => each.suspended)],
    bytes: registers.reduce((sum, each) => sum + each.bytes, bytes),
    properties: propertyMemory?.current ? viewOfRecords(propertyMemory.current) : null,
    audit: audit?.view() ?? null,
  };
}

/** How much of the file was written anew for its version, and the rest taken over. */
function viewOfRecords({ records: { count, meta } }: PropertiesInService) {
  return { records: count, written: meta.written };
}

/** Whether a loader has looked for what to answer from, and has what it found. */
interface Opening {
  readonly isOpen: boolean;
}

/**
 * Until all that is published is in memory, or it has been waited for long enough: what was never published
 * is not waited for. Rejects when the signal does.
 */
export async function untilLoaded(
  loaders: { readonly [K in keyof Loaders]: Opening | null },
  { mostMs, everyMs, signal }: { mostMs: number; everyMs: number; signal: AbortSignal },
): Promise<void> {
  const untilMs = performance.now() + mostMs;
  const isThere = () =>
    [loaders.memory, loaders.addressMemory].every((loader) => loader?.isOpen ?? true);
  while (!isThere() && performance.now() < untilMs) await sleep(everyMs, undefined, { signal });
}
