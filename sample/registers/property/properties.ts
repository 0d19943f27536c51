/**
 * The island's properties as EBR links them to addresses: whole properties by door, flats by unit
 * address. Uses its own random source, so the addresses stay as they are.
 */
import type { TableRow } from '../../data/table-row.ts';
import { createRandom } from '../../data/random.ts';

const REGISTERED = '2019-09-30T12:00:00.000000Z';
/** Of flats; those of parcels begin at 9,100,001. */
const FIRST_FLAT_BFE = 9_200_001;
const LEAST_FLATS = 4;

interface Sources {
  readonly accesses: readonly TableRow[];
  readonly units: readonly TableRow[];
  readonly parcels: readonly TableRow[];
  readonly knownUnitId: string;
}

export function propertyRows({ accesses, units, parcels, knownUnitId }: Sources): TableRow[] {
  const random = createRandom('properties');
  const row = (
    bfe: number,
    at: { readonly access?: string | null; readonly unit?: string | null; readonly text?: string },
    status = 'gældende',
  ): TableRow => ({
    id_lokalId: random.uuid(),
    adresseLokalId: at.unit ?? null,
    bestemtFastEjendomBFENr: String(bfe),
    betegnelse: at.text ?? null,
    husnummerLokalId: at.access ?? null,
    kommuneinddelingKommunekode: null,
    ...{ registreringFra: REGISTERED, registreringTil: null, status },
    ...{ virkningFra: REGISTERED, virkningTil: null },
  });

  const known = units.find((unit) => unit['id_lokalId'] === knownUnitId);
  const flats = [...Map.groupBy(units, (unit) => unit['husnummer']).values()].filter(
    (home) => home.length >= LEAST_FLATS,
  );
  const own = flats.flatMap((home) => {
    if (home.some((unit) => unit === known)) return [known];
    return random.chance(0.5) ? home : [];
  });
  const ordered = [known, ...own.filter((unit) => unit !== known)];
  const flatRows = ordered.map((unit, n) =>
    row(FIRST_FLAT_BFE + n, { unit: unit?.['id_lokalId'] ?? null }),
  );

  const doorOf = new Map<string | null | undefined, TableRow>();
  for (const access of accesses) {
    if (!doorOf.has(access['jordstykke'])) doorOf.set(access['jordstykke'], access);
  }
  const wholeRows = parcels.map((parcel) => {
    const access = doorOf.get(parcel['id_lokalId'])?.['id_lokalId'] ?? null;
    const bfe = Number(parcel['samletFastEjendomLokalId']);
    return row(bfe, access === null ? { text: 'Opdigtet mark' } : { access });
  });
  // A retired link must not hide the one in force.
  const gone = row(FIRST_FLAT_BFE - 1, { unit: knownUnitId }, 'historisk');
  return [gone, ...flatRows, ...wholeRows];
}
