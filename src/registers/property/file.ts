import { LIMITS } from '../../kernel/limits.ts';
import { Slice } from '../../kernel/turns.ts';
import type { PropertyRows } from './property.ts';
import type { PropertiesInService } from './load.ts';
import type { AskedRegisters, PropertiesRead, PropertyQuery } from './store.ts';
import { unpackRows } from './packed.ts';
import { isOfInstant } from '../../snapshot/property-records.ts';

export interface PropertyFileQuery extends Pick<PropertyQuery, 'bfes'> {
  readonly nowMs: number;
  readonly asked: AskedRegisters;
}

export function isCurrent({ isPublished, records }: PropertiesInService, nowMs: number): boolean {
  return isPublished() && isOfInstant(records.meta, nowMs);
}

/**
 * null: a number is not in the file. Answers of an outdated file are marked as past. Throws when a
 * record cannot be read, also of a replaced file.
 */
export async function readFromFile(
  held: PropertiesInService,
  { bfes, nowMs, asked }: PropertyFileQuery,
): Promise<PropertiesRead | null> {
  const bbr = knownCopy(held.copy);
  const rows = await readRows(held, bfes, asked);
  if (rows === null) return null;
  return {
    by: 'snapshot',
    generation: held.generation,
    bbr: isCurrent(held, nowMs) ? bbr : { ...bbr, outdatedAtMs: 0 },
    cadastre: held.cadastre && knownCopy(held.cadastre),
    locations: held.locations && knownCopy(held.locations),
    assessments: held.assessments && knownCopy(held.assessments),
    protection: held.protection && knownCopy(held.protection),
    missing: [],
    unreadable: new Set(),
    asked,
    rows,
    isCut: false,
  };
}

/** null: no register that may answer knows the number. */
export function rowsOfText(text: string, asked: AskedRegisters): PropertyRows | null {
  const rows = unpackRows(text);
  if (asked.cadastre && asked.locations) return rows;
  const knownTo = rows.knownTo?.filter((register) => asked[register]);
  if (knownTo?.length === 0) return null;
  return {
    ...rows,
    ...(knownTo && { knownTo }),
    ...(!asked.cadastre && { parcels: null, ownParcels: [] }),
  };
}

/** Yields between slices: a batch takes milliseconds. null: a number is not in the file. */
async function readRows(
  { records }: PropertiesInService,
  bfes: readonly number[],
  asked: AskedRegisters,
): Promise<Map<number, PropertyRows> | null> {
  const { recordsAtATime } = LIMITS.property;
  const rows = new Map<number, PropertyRows>();
  const slice = new Slice();
  for (let from = 0; from < bfes.length; from += recordsAtATime) {
    for (const [bfe, text] of await records.read(bfes.slice(from, from + recordsAtATime))) {
      if (text === null) return null;
      // A single record is answered without yielding.
      if (rows.size > 0 && slice.isOver) await slice.next();
      const known = rowsOfText(text, asked);
      if (known !== null) rows.set(bfe, known);
    }
  }
  return rows;
}

/** The file holds only current data, so its history start is never used. */
export function knownCopy(
  copy: PropertiesInService['copy'] | NonNullable<PropertiesInService['cadastre']>,
) {
  return { ...copy, firstPublishedAtMs: copy.publishedAtMs };
}
