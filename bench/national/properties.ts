/**
 * The properties of the country as the tables of BBR and the cadastre, at the sizes that issue 18 names (4.5 M
 * buildings, 3.8 M units, 4.3 M floors, 3.0 M entrances, 0.7 M facilities, 2.9 M grounds, 2.6 M relations and
 * parcels). All of a property follows from its number alone, so that nothing is kept.
 */

/** Numbers (BFE) of the whole country. */
export const NATIONAL_PROPERTIES = 2_600_000;
const FIRST_BFE = 9_100_001;
const FIRST_DISTRICT = 9_900_001;
const MOST_DISTRICTS = 9_300;
/** In a day one property of so many is registered anew; prime to eight, so that every sort of them is. */
const CHANGED_EVERY = 997;
/** The first of those of a day. */
const FIRST_CHANGED = { BBR: 0, MAT: 500 } as const;

/** Before a change, and as it is registered by it. */
export type Edition = 0 | 1;

/** A row beside its times: its id, its status and its cells. */
export interface RegisterRow {
  readonly id: string;
  readonly status: string;
  readonly cells: readonly (string | number)[];
}

/** A table of a register: its columns beside id, status and times, and its rows of one property. */
export interface RegisterTable {
  readonly register: 'BBR' | 'MAT';
  readonly entity: string;
  readonly format: 'csv' | 'json';
  readonly columns: readonly string[];
  readonly rowsOf: (n: number, edition: Edition) => readonly RegisterRow[];
}

/** Of a country of a size, the first of which is 0. */
export function propertyCount(scale: number): number {
  return Math.max(CHANGED_EVERY, Math.round(NATIONAL_PROPERTIES * scale));
}

export function bfeOf(n: number): number {
  return FIRST_BFE + n;
}

/** Properties that a day changes in a register; of all their rows there. */
export function* changedIn(register: RegisterTable['register'], count: number): Generator<number> {
  for (let n: number = FIRST_CHANGED[register]; n < count; n += CHANGED_EVERY) yield n;
}

/** What tells the editions of a property apart: the year of its house; the number of its parcels. */
export const BUILT_YEARS = [1968, 2001] as const;
export const PARCEL_NUMBERS = ['1a', '1b'] as const;

/** Four digits; names of them are among the country's areas. */
function municipalityOf(n: number): string {
  return String(1 + (n % 20)).padStart(4, '0');
}

/** A ground of its own, a flat in the block of the one before it, a house on the ground of the one before it. */
function sortOf(n: number): 'whole' | 'flat' | 'foreign' {
  if (n % 64 === 63) return 'foreign';
  return n % 8 === 7 ? 'flat' : 'whole';
}

/** Kinds of rows, told apart in their ids. */
const KIND = {
  property: 1,
  ground: 2,
  building: 3,
  floor: 4,
  entrance: 5,
  unit: 6,
  facility: 7,
  link: 8,
};

/** An id made of its kind, its property and its place there; ids follow no order, as the register's do not. */
function idOf(kind: keyof typeof KIND, n: number, place = 0): string {
  const number = 16 * n + place;
  const mixed = Math.imul(number ^ (KIND[kind] << 28), 0x9e3779b1) >>> 0;
  return `${hex(mixed, 8)}-0000-4000-800${KIND[kind]}-${hex(number, 12)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** Names of columns and the cells of what stands for a row. */
type Cells<T> = Readonly<Record<string, (of: T) => string | number>>;

interface Placed {
  readonly id: string;
  readonly n: number;
}

/** What every row of BBR has. */
const COMMON: Cells<Placed> = {
  id_namespace: () => 'http://data.gov.dk/bbr',
  kommunekode: ({ n }) => municipalityOf(n),
  registreringsaktør: () => 'BBR',
  virkningsaktør: () => 'Registerfører',
  forretningshændelse: () => 'BBR',
  forretningsområde: () => '54.15.05.05',
  forretningsproces: () => 0,
};

/** `name`: register and entity. */
function tableOf<T extends Placed>(
  name: `${RegisterTable['register']} ${string}`,
  status: string,
  of: (n: number, edition: Edition) => readonly T[],
  cells: Cells<T>,
): RegisterTable {
  const [register, entity] = name.split(' ') as [RegisterTable['register'], string];
  const all: Cells<T> = register === 'BBR' ? { ...COMMON, ...cells } : cells;
  const written = Object.values(all);
  return {
    ...{ register, entity, format: 'csv', columns: Object.keys(all) },
    rowsOf: (n, edition) =>
      of(n, edition).map((row) => {
        return { id: row.id, status, cells: written.map((cell) => cell(row)) };
      }),
  };
}

/** The same in every row. */
function each(value: string | number, names: string): Cells<unknown> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, () => value]));
}

/** Statuses in force (D53). */
const BUILT = '6';
const VALID = '7';
const IN_FORCE = 'Gældende';

const PROPERTY = tableOf('BBR Ejendomsrelation', VALID, (n) => [{ id: idOf('property', n), n }], {
  bfeNummer: ({ n }) => bfeOf(n),
  ejendomstype: ({ n }) => ({ whole: 'SFE', flat: 'Ejerlejlighed', foreign: 'BPFG' })[sortOf(n)],
  ejendomsnummer: ({ n }) => n,
  samletFastEjendom: ({ n }) => (sortOf(n) === 'whole' ? bfeOf(n) : ''),
  bygningPåFremmedGrund: ({ n }) => (sortOf(n) === 'foreign' ? bfeOf(n) : ''),
  ejerlejlighed: ({ n }) => (sortOf(n) === 'flat' ? bfeOf(n) : ''),
  tinglystAreal: () => '',
});

interface Ground extends Placed {
  readonly place: number;
}

/** One, or two: of some the second has a parcel too. */
function groundsOf(n: number): readonly Ground[] {
  if (sortOf(n) !== 'whole') return [];
  const places = n % 4 === 1 ? [0, 1] : [0];
  return places.map((place) => ({ id: idOf('ground', n, place), n, place }));
}

function groundsWithParcels(n: number): readonly Ground[] {
  return groundsOf(n).filter(({ place }) => place === 0 || n % 8 === 1);
}

function parcelOf({ n, place }: Ground): number {
  return 2 * n + place + 1;
}

const GROUND = tableOf('BBR Grund', VALID, groundsOf, {
  gru010Afløbsforhold: ({ n }) => (n % 3 === 2 ? 5 : 10),
  bestemtFastEjendom: ({ n }) => idOf('property', n),
  gru009Vandforsyning: () => 1,
  ...each(
    '',
    `gru021Udledningstilladelse gru022MedlemskabAfSpildevandsforsyning
      gru023PåbudVedrSpildevandsafledning gru024FristVedrSpildevandsafledning
      gru025TilladelseTilUdtræden gru026DatoForTilladelseTilUdtræden
      gru027TilladelseTilAlternativBortskaffelseEllerAfledning
      gru028DatoForTilladelseTilAlternativBortskaffelseEllerAfledning husnummer`,
  ),
});

const GROUND_PARCEL = tableOf(
  'BBR GrundJordstykke',
  '',
  (n) => groundsWithParcels(n).map((ground) => ({ ...ground, id: idOf('link', n, ground.place) })),
  {
    grund: ({ n, place }) => idOf('ground', n, place),
    jordstykke: parcelOf,
  },
);

interface Building extends Placed {
  readonly place: number;
  readonly year: number;
  /** Of whose ground it stands on. */
  readonly groundOf: number;
}

/** A house, and for most one shed or two. */
function buildingsOf(n: number, edition: Edition): readonly Building[] {
  const sort = sortOf(n);
  if (sort === 'flat') return [];
  const sheds = sort === 'foreign' || n % 8 > 5 ? 0 : n % 8 === 2 ? 2 : 1;
  return Array.from({ length: 1 + sheds }, (_, place) => ({
    ...{ id: idOf('building', n, place), n, place },
    year: BUILT_YEARS[place === 0 ? edition : 0],
    groundOf: sort === 'foreign' ? n - 1 : n,
  }));
}

function useOf({ n, place }: Building): number {
  if (place > 0) return place === 1 ? 910 : 930;
  return isBlock(n) ? 140 : 120;
}

function isBlock(n: number): boolean {
  return n % 8 === 6;
}

const BUILDING = tableOf('BBR Bygning', BUILT, buildingsOf, {
  byg007Bygningsnummer: ({ place }) => place + 1,
  byg021BygningensAnvendelse: useOf,
  byg026Opførelsesår: ({ year }) => year,
  byg032YdervæggensMateriale: ({ n }) => (n % 3 === 0 ? 5 : 1),
  byg033Tagdækningsmateriale: ({ n }) => (n % 3 === 1 ? 5 : 3),
  byg038SamletBygningsareal: ({ n }) => 60 + (n % 180),
  byg039BygningensSamledeBoligAreal: ({ n, place }) => (place > 0 ? 0 : 60 + (n % 180)),
  byg041BebyggetAreal: ({ n }) => 60 + (n % 180),
  byg054AntalEtager: ({ place }) => (place > 0 ? 0 : 1),
  byg056Varmeinstallation: ({ place }) => (place > 0 ? '' : 2),
  byg057Opvarmningsmiddel: ({ place }) => (place > 0 ? '' : 3),
  byg133KildeTilKoordinatsæt: () => 'K',
  byg404Koordinat: pointOf,
  byg406Koordinatsystem: () => 5,
  jordstykke: ({ groundOf }) => parcelOf({ id: '', n: groundOf, place: 0 }),
  grund: ({ groundOf }) => idOf('ground', groundOf),
  ...each(
    '',
    `byg024AntalLejlighederMedKøkken byg030Vandforsyning byg031Afløbsforhold
      byg034SupplerendeYdervæggensMateriale byg035SupplerendeTagdækningsMateriale
      byg036AsbestholdigtMateriale byg053BygningsarealerKilde byg055AfvigendeEtager
      byg058SupplerendeVarme husnummer bygningPåFremmedGrund ejerlejlighed`,
  ),
  ...each(0, 'byg027OmTilbygningsår byg040BygningensSamledeErhvervsAreal'),
  ...each(1, 'byg037KildeTilBygningensMaterialer byg134KvalitetAfKoordinatsæt'),
});

function pointOf({ n, place }: { readonly n: number; readonly place: number }): string {
  const { x, y } = cornerOf(n);
  return `POINT (${x + 10 + 7 * place}.25 ${y + 12}.5)`;
}

/** Of the land of a property: so many beside each other, in rows. */
function cornerOf(n: number): { readonly x: number; readonly y: number } {
  return { x: 480_000 + 40 * (n % 5_000), y: 6_060_000 + 500 * Math.floor(n / 5_000) };
}

const BUILDING_PROPERTY = tableOf(
  'BBR BygningEjendomsrelation',
  '',
  (n) => (sortOf(n) === 'foreign' ? [{ id: idOf('link', n, 2), n }] : []),
  {
    bygning: ({ n }) => idOf('building', n),
    bygningPåFremmedGrund: ({ n }) => idOf('property', n),
  },
);

interface Floor extends Placed {
  readonly designation: string;
  readonly basement: number;
  readonly attic: number;
}

function hasHouse(n: number): boolean {
  return sortOf(n) !== 'flat';
}

/** Each the ground floor, half of them one above, some of that an attic in use, a quarter a basement. */
function floorsOf(n: number): readonly Floor[] {
  if (!hasHouse(n)) return [];
  const floor = (place: number, designation: string, of: { basement?: number; attic?: number }) => {
    const { basement = 0, attic = 0 } = of;
    return { id: idOf('floor', n, place), n, designation, basement, attic };
  };
  return [
    floor(0, 'st', {}),
    ...(n % 2 === 0 ? [floor(1, '01', { attic: n % 4 === 0 ? 40 : 0 })] : []),
    ...(n % 4 === 1 ? [floor(2, 'kl', { basement: 50 })] : []),
  ];
}

const FLOOR = tableOf('BBR Etage', BUILT, floorsOf, {
  eta006BygningensEtagebetegnelse: ({ designation }) => designation,
  eta020SamletArealAfEtage: ({ basement, attic }) => basement + attic,
  eta021ArealAfUdnyttetDelAfTagetage: ({ attic }) => attic,
  eta022Kælderareal: ({ basement }) => basement / 2,
  eta025Etagetype: ({ attic }) => (attic > 0 ? 1 : 0),
  bygning: ({ n }) => idOf('building', n),
  eta023ArealAfLovligBeboelseIKælder: () => 0,
  ...each('', 'eta024EtagensAdgangsareal eta026ErhvervIKælder'),
});

const ENTRANCE = tableOf(
  'BBR Opgang',
  BUILT,
  (n) => {
    if (!hasHouse(n)) return [];
    const places = n % 8 === 2 || n % 8 === 4 ? [0, 1] : [0];
    return places.map((place) => ({ id: idOf('entrance', n, place), n }));
  },
  {
    bygning: ({ n }) => idOf('building', n),
    opg020Elevator: () => 0,
    ...each('', 'opg021HusnummerFunktion adgangFraHusnummer'),
  },
);

/** One a house, five or six a block; the second of a block is the flat behind it. */
const UNIT = tableOf(
  'BBR Enhed',
  BUILT,
  (n) => {
    if (!hasHouse(n)) return [];
    const count = isBlock(n) ? 5 + (n % 16 === 6 ? 1 : 0) : 1;
    return Array.from({ length: count }, (_, place) => ({ id: idOf('unit', n, place), n }));
  },
  {
    enh020EnhedensAnvendelse: () => 120,
    enh026EnhedensSamledeAreal: ({ n }) => 60 + (n % 180),
    enh027ArealTilBeboelse: ({ n }) => 60 + (n % 180),
    enh031AntalVærelser: ({ n }) => 1 + (n % 6),
    // Of addresses that are not mirrored here.
    adresseIdentificerer: ({ id }) => id,
    etage: ({ n }) => idOf('floor', n),
    opgang: ({ n }) => idOf('entrance', n),
    bygning: ({ n }) => (n % 2 === 0 ? idOf('building', n) : ''),
    enh023Boligtype: () => 1,
    enh028ArealTilErhverv: () => 0,
    ...each('', 'enh051Varmeinstallation enh052Opvarmningsmiddel ejerlejlighed'),
  },
);

const UNIT_PROPERTY = tableOf(
  'BBR EnhedEjendomsrelation',
  '',
  (n) => (sortOf(n) === 'flat' ? [{ id: idOf('link', n, 3), n }] : []),
  {
    enhed: ({ n }) => idOf('unit', n - 1, 1),
    ejerlejlighed: ({ n }) => idOf('property', n),
  },
);

const FACILITY = tableOf<Ground>(
  'BBR TekniskAnlaeg',
  BUILT,
  (n) => {
    const isThere = sortOf(n) === 'whole' && (n % 8 === 0 || n % 8 === 3 || n % 64 === 5);
    return isThere ? [{ id: idOf('facility', n), n, place: 3 }] : [];
  },
  {
    tek020Klassifikation: () => 1110,
    tek024Etableringsår: () => 1975,
    tek030Fabrikationsnummer: ({ n }) => n,
    tek032Størrelse: () => 2500,
    tek034IndholdOlietank: () => 12,
    tek109Koordinat: pointOf,
    grund: ({ n }) => idOf('ground', n),
    ...each(
      1,
      `tek007Anlægsnummer tek026StørrelsesklasseOlietank tek027Placering tek068Materiale
      tek110Driftstatus`,
    ),
    ...each(
      0,
      `tek025TilOmbygningsår tek036Rumfang tek037Areal tek038Højde tek067Fabrikationsår
      tek072Sløjfningsår tek075Rotordiameter`,
    ),
    ...each(
      '',
      `tek028SløjfningOlietank tek031Typegodkendelsesnummer tek033Type
      tek035SløjfningsfristOlietank tek069SupplerendeIndvendigKorrosionsbeskyttelse
      tek070DatoForSenestUdførteSupplerendeIndvendigKorrosionsbeskyttelse
      tek105OverdækningTank tek106InspektionsdatoTank tek111DatoForSenesteInspektion bygning
      enhed bygningPåFremmedGrund ejerlejlighed`,
    ),
  },
);

const DISTRICT = tableOf(
  'MAT Ejerlav',
  IN_FORCE,
  (n) => (n < MOST_DISTRICTS ? [{ id: String(FIRST_DISTRICT + n), n }] : []),
  {
    ejerlavskode: ({ id }) => id,
    ejerlavsnavn: ({ n }) => `Opdigtet Ejerlav ${n + 1}`,
  },
);

const WHOLE_PROPERTY = tableOf(
  'MAT SamletFastEjendom',
  IN_FORCE,
  (n) => (sortOf(n) === 'whole' ? [{ id: String(bfeOf(n)), n }] : []),
  {
    BFEnummer: ({ id }) => id,
    hovedejendomOpdeltIEjerlejligheder: ({ n }) => String(isBlock(n)),
    arbejderbolig: () => 'false',
  },
);

interface Parcel extends Ground {
  readonly number: string;
}

function parcelsOf(n: number, edition: Edition): readonly Parcel[] {
  const number = PARCEL_NUMBERS[edition];
  return groundsWithParcels(n).map((ground) => ({
    ...ground,
    ...{ id: String(parcelOf(ground)), number },
  }));
}

const PARCEL = tableOf('MAT Jordstykke', IN_FORCE, parcelsOf, {
  matrikelnummer: ({ number }) => number,
  // Of those that the smallest country has.
  ejerlavLokalId: ({ n }) => FIRST_DISTRICT + (n % CHANGED_EVERY),
  kommuneLokalId: ({ n }) => municipalityOf(n),
  samletFastEjendomLokalId: ({ n }) => bfeOf(n),
  registreretAreal: ({ n }) => 400 + (n % 8_600),
  faelleslod: () => 'false',
  ...each('', 'sognLokalId regionLokalId'),
  vejareal: () => 0,
});

const FLAT = tableOf(
  'MAT Ejerlejlighed',
  IN_FORCE,
  (n) => (sortOf(n) === 'flat' ? [{ id: String(bfeOf(n)), n }] : []),
  {
    BFEnummer: ({ id }) => id,
    samletFastEjendomLokalId: ({ n }) => bfeOf(n - 1),
    ejerlejlighedsnummer: () => 1,
  },
);

const FOREIGN_BUILDING = tableOf(
  'MAT BygningPaaFremmedGrund',
  IN_FORCE,
  (n) => (sortOf(n) === 'foreign' ? [{ id: String(bfeOf(n)), n }] : []),
  { BFEnummer: ({ id }) => id },
);

/** Corners of a piece of land, beginning at its south-west: 38 by 45 metres, some vertices a side. */
const OUTLINE = [0, 9.5, 19, 28.5, 38]
  .map((x): readonly [number, number] => [x, 0])
  .concat([15, 30, 45].map((y) => [38, y] as const))
  .concat([28.5, 19, 9.5, 0].map((x) => [x, 45] as const))
  .concat([30, 15, 0].map((y) => [0, y] as const));

const FACE = {
  ...tableOf(
    'MAT Lodflade',
    IN_FORCE,
    (n, edition) => parcelsOf(n, edition).map((parcel) => ({ ...parcel, id: `${parcel.id}_1` })),
    {
      jordstykkeLokalId: parcelOf,
      geometri: ({ n, place }) => {
        const { x, y } = cornerOf(n);
        const [east, north] = [x + place * 38, y];
        const ring = OUTLINE.map(
          ([dx, dy]) => `${(east + dx).toFixed(3)} ${(north + dy).toFixed(3)}`,
        );
        return `POLYGON ((${ring.join(', ')}))`;
      },
    },
  ),
  format: 'json' as const,
};

/** Those of BBR, then those of the cadastre. */
export const PROPERTY_TABLES: readonly RegisterTable[] = [
  ...[PROPERTY, GROUND, GROUND_PARCEL, BUILDING, BUILDING_PROPERTY],
  ...[FLOOR, ENTRANCE, UNIT, UNIT_PROPERTY, FACILITY],
  ...[DISTRICT, WHOLE_PROPERTY, PARCEL, FLAT, FOREIGN_BUILDING, FACE],
];
