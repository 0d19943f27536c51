/** Properties as the file of records tells them, as the store would have. */
import type { PropertyRows } from '../layers/property.ts';
import type { PropertiesInService } from '../memory/property-loader.ts';
import type { KnownCopy, PropertiesRead } from '../registers/property/store.ts';
import { unpackRows } from '../registers/property/packed.ts';

export interface FileAsked {
  readonly bfes: readonly number[];
  readonly nowMs: number;
  readonly mayAskCadastre: (copy: KnownCopy) => boolean;
}

/** Whether what is in force now is what the file says: its versions are published, and no row has begun or ended. */
export function isCurrent({ isPublished, records }: PropertiesInService, nowMs: number): boolean {
  const { atMs, untilMs } = records.meta;
  return isPublished() && nowMs >= atMs && (untilMs === null || nowMs < untilMs);
}

/**
 * Read by number; null: one of them is not kept there. What a file says that is not current is marked as
 * past. Throws when a record cannot be read.
 */
export async function readFromFile(
  held: PropertiesInService,
  { bfes, nowMs, mayAskCadastre }: FileAsked,
): Promise<PropertiesRead | null> {
  const bbr = knownCopy(held.copy);
  const cadastre = held.cadastre && knownCopy(held.cadastre);
  const hasCadastre = cadastre !== null && mayAskCadastre(cadastre);
  const rows = new Map<number, PropertyRows>();
  for (const [bfe, text] of await held.records.read(bfes)) {
    if (text === null) return null;
    const known = unpackRows(text);
    if (hasCadastre || cadastre === null) rows.set(bfe, known);
    // Who the cadastre alone may know is not told without it.
    else if (known.kind !== null) rows.set(bfe, { ...known, parcels: null });
  }
  return {
    by: 'snapshot',
    generation: held.generation,
    bbr: isCurrent(held, nowMs) ? bbr : { ...bbr, outdatedAtMs: 0 },
    cadastre,
    addresses: null,
    assessments: held.assessments && knownCopy(held.assessments),
    protection: held.protection && knownCopy(held.protection),
    missing: [],
    unreadable: new Set(),
    rows,
    isCut: false,
  };
}

/** The file tells of now alone: since when the past is known, nobody asks it. */
function knownCopy(
  copy: PropertiesInService['copy'] | NonNullable<PropertiesInService['cadastre']>,
) {
  return { ...copy, firstPublishedAtMs: copy.publishedAtMs };
}
