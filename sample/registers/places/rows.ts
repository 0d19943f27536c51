/**
 * The island's place names, with several spellings, historic names, namesakes, a self-crossing ring and a
 * name without a place.
 */
import type { Place, Position, Ring } from '../../data/geometry.ts';
import { position, reversed, ring, roundRing } from '../../data/geometry.ts';
import { CENTRE, ISLETS, placeInland } from '../../data/island.ts';
import type { Random } from '../../data/random.ts';
import { createRandom } from '../../data/random.ts';
import type { TableRow } from '../../data/table-row.ts';

export const PLACE_ENTITIES = [
  'Stednavn',
  'Bebyggelse',
  'Landskabsform',
  'Soe',
  'Standsningssted',
  'Vandloeb',
] as const;
export type PlaceEntity = (typeof PLACE_ENTITIES)[number];
type PlaceType = Exclude<PlaceEntity, 'Stednavn'>;

export const KNOWN_PLACE = {
  town: { object: 9_001_001, id: '5e1c0de0-0091-4a00-8000-000000000001', name: 'Midtby' },
  /** Two villages with one name; the first has more inhabitants. */
  namesakes: [9_001_002, 9_001_003],
  namesake: 'Nørre Kilde',
  /** A point, a line through several municipalities, an area with a hole, and an islet. */
  station: {
    object: 9_001_004,
    id: '5e1c0de0-0091-4a00-8000-000000000004',
    name: 'Midtby Station',
  },
  stream: { object: 9_001_005, id: '5e1c0de0-0091-4a00-8000-000000000005', name: 'Kildeåen' },
  lake: { object: 9_001_006, id: '5e1c0de0-0091-4a00-8000-000000000006', name: 'Spejlsøen' },
  islet: { object: 9_001_007, id: '5e1c0de0-0091-4a00-8000-000000000007', name: 'Sønderø' },
  bowTie: 9_001_008,
  nowhere: 9_001_009,
  noId: 9_001_010,
} as const;

const REGISTERED = '2015-03-26T15:24:32.000000Z';
const FIRST_OBJECT = 9_002_001;

const SUBTYPES: Readonly<Record<PlaceType, readonly [column: string, ...values: string[]]>> = {
  Bebyggelse: ['bebyggelsestype', 'by', 'spredtBebyggelse', 'bydel'],
  Landskabsform: ['landskabsformtype', 'bakke', 'dal', 'ø'],
  Soe: ['soetype', 'sø', 'vandhul'],
  Standsningssted: ['standsningsstedtype', 'togstation', 'holdeplads'],
  Vandloeb: ['vandloebstype', 'vandløb', 'bæk'],
};

export function generatePlaces(): Readonly<Record<PlaceEntity, readonly TableRow[]>> {
  const drawing = new Drawing(createRandom('places'));
  drawing.known();
  drawing.scatter();
  return drawing.tables;
}

interface Drawn {
  readonly object: number;
  readonly type: PlaceType;
  readonly wkt: string;
  readonly subtype?: string;
  readonly inhabitants?: number;
  /** Absent: derived from the number; null: the table has none. */
  readonly id?: string | null;
}

interface Spelling {
  readonly name: string;
  readonly status?: string;
  readonly isPrimary?: boolean;
  readonly isHistory?: boolean;
}

class Drawing {
  readonly #random: Random;
  #names = 0;
  #objects = FIRST_OBJECT;
  readonly tables: Record<PlaceEntity, TableRow[]> = {
    Stednavn: [],
    Bebyggelse: [],
    Landskabsform: [],
    Soe: [],
    Standsningssted: [],
    Vandloeb: [],
  };

  constructor(random: Random) {
    this.#random = random;
  }

  known(): void {
    const { town, station, stream, lake, islet, bowTie, nowhere, noId } = KNOWN_PLACE;
    this.#town(town);
    this.#namesakes();
    this.#place({ ...station, type: 'Standsningssted', wkt: pointWkt(CENTRE) });
    this.#name(station.object, { name: station.name });
    this.#place({ ...stream, type: 'Vandloeb', wkt: streamWkt() });
    this.#name(stream.object, { name: stream.name });
    this.#place({ ...lake, type: 'Soe', wkt: lakeWkt({ x: 650_700, y: 6_314_900 }) });
    this.#name(lake.object, { name: lake.name });
    const south = roundRing(ISLETS.south.centre, 48, () => ISLETS.south.radiusM);
    this.#place({ ...islet, type: 'Landskabsform', subtype: 'ø', wkt: areaWkt(south) });
    this.#name(islet.object, { name: islet.name });
    this.#place({ object: bowTie, type: 'Soe', wkt: bowTieWkt({ x: 648_300, y: 6_312_600 }) });
    this.#name(bowTie, { name: 'Sløjfesøen' });
    this.#name(nowhere, { name: 'Ingensted' });
    const hill = roundRing({ x: 649_100, y: 6_313_300 }, 16, () => 120);
    this.#place({ object: noId, type: 'Landskabsform', id: null, wkt: areaWkt(hill) });
    this.#name(noId, { name: 'Store Prøvebakke' });
  }

  #town(town: (typeof KNOWN_PLACE)['town']): void {
    const wkt = areaWkt(roundRing(CENTRE, 40, () => 620));
    this.#place({ ...town, type: 'Bebyggelse', subtype: 'by', inhabitants: 4_120, wkt });
    this.#name(town.object, { name: 'Midby', status: 'uofficielt', isPrimary: false });
    this.#name(town.object, { name: town.name, status: 'suAutoriseret' });
    this.#name(town.object, { name: 'Prøve Midtby', isPrimary: false });
    this.#name(town.object, { name: 'Gammel Midtby', isHistory: true });
  }

  #namesakes(): void {
    const [large, small] = KNOWN_PLACE.namesakes;
    const villages = [
      { object: large, inhabitants: 640, centre: { x: 651_400, y: 6_316_300 } },
      { object: small, inhabitants: 85, centre: { x: 647_000, y: 6_312_300 } },
    ];
    for (const { object, inhabitants, centre } of villages.toReversed()) {
      const wkt = areaWkt(roundRing(centre, 24, () => 210));
      this.#place({ object, type: 'Bebyggelse', subtype: 'by', inhabitants, wkt });
      this.#name(object, { name: KNOWN_PLACE.namesake });
    }
  }

  scatter(): void {
    const counts = { Bebyggelse: 60, Landskabsform: 10, Soe: 10, Standsningssted: 8, Vandloeb: 6 };
    for (const [type, count] of Object.entries(counts)) {
      for (let i = 0; i < count; i += 1) this.#scattered(type as PlaceType);
    }
  }

  #scattered(type: PlaceType): void {
    const random = this.#random;
    const object = this.#objects;
    this.#objects += 1;
    const centre = placeInland(random.between(0, 2 * Math.PI), Math.sqrt(random.next()) * 0.9);
    const wkt = wktOf(type, centre, random);
    const inhabitants = type === 'Bebyggelse' ? { inhabitants: random.integer(5, 900) } : {};
    this.#place({ object, type, wkt, ...inhabitants });
    const name = nameOf(type, random);
    this.#name(object, { name });
    if (random.chance(0.1)) {
      this.#name(object, { name: `${name} Mark`, status: 'uofficielt', isPrimary: false });
    }
  }

  #place({ object, type, wkt, id, subtype, inhabitants }: Drawn): void {
    const [column, ...values] = SUBTYPES[type];
    const made = `5e1c0de0-0092-4a00-8000-${String(object).padStart(12, '0')}`;
    this.tables[type].push({
      ...times(),
      objectid: String(object),
      id_lokalId: id === undefined ? made : id,
      [column]: subtype ?? this.#random.pick(values),
      ...(type === 'Bebyggelse' && {
        bebyggelseskode: String(object % 100_000),
        indbyggertal: inhabitants === undefined ? null : String(inhabitants),
      }),
      geometri: wkt,
    });
  }

  #name(
    object: number,
    { name, status = 'officielt', isPrimary = true, isHistory = false }: Spelling,
  ): void {
    this.#names += 1;
    const row: TableRow = {
      ...times(),
      objectid: String(9_500_000 + this.#names),
      skrivemaade: name,
      navngivetSted_objectid: String(object),
      navnestatus: status,
      brugsprioritet: isPrimary ? 'primær' : 'sekundær',
      navnefoelgenummer: isPrimary ? '1' : '2',
      aktualitet: isHistory ? 'historisk' : 'iAnvendelse',
    };
    this.tables.Stednavn.push(row);
    // An earlier registration of it.
    if (this.#names % 7 !== 0) return;
    const closed = { registreringFra: '2014-01-01T00:00:00Z', registreringTil: REGISTERED };
    this.tables.Stednavn.push({ ...row, skrivemaade: `${name} (før)`, ...closed });
  }
}

function times(): TableRow {
  return {
    registreringFra: REGISTERED,
    registreringTil: null,
    virkningFra: REGISTERED,
    virkningTil: null,
  };
}

const FIRST = ['Birke', 'Elle', 'Horne', 'Kirke', 'Lerbæk', 'Mosse', 'Ravns', 'Skovs', 'Torne'];
const BEFORE = ['', '', '', 'Nørre ', 'Sønder ', 'Øster ', 'Vester ', 'Store ', 'Lille '];
const LAST: Readonly<Record<PlaceType, readonly string[]>> = {
  Bebyggelse: ['by', 'lev', 'rup', 'sted', 'torp', 'ager'],
  Landskabsform: ['bjerg', 'høj', 'dal', 'bakke'],
  Soe: ['sø', 'kær', 'hul'],
  Standsningssted: ['by Station', 'rup Trinbræt'],
  Vandloeb: ['bæk', 'å', 'rende'],
};

function nameOf(type: PlaceType, random: Random): string {
  return `${random.pick(BEFORE)}${random.pick(FIRST)}${random.pick(LAST[type])}`;
}

function wktOf(type: PlaceType, centre: Place, random: Random): string {
  if (type === 'Standsningssted') return pointWkt(centre);
  if (type === 'Vandloeb') {
    const end = { x: centre.x + random.between(-600, 600), y: centre.y + random.between(200, 700) };
    return `LINESTRING (${pairs([position(centre), position(end)])})`;
  }
  const radiusM = random.between(40, 180);
  return areaWkt(roundRing(centre, 16, () => radiusM));
}

function pairs(positions: Ring): string {
  return positions.map((each) => each.join(' ')).join(', ');
}

function pointWkt(place: Place): string {
  return `POINT (${pairs([position(place)])})`;
}

function areaWkt(...rings: readonly Ring[]): string {
  return `POLYGON (${rings.map((each) => `(${pairs(each)})`).join(', ')})`;
}

/** Two pieces that meet at their ends, and a short separate one. */
function streamWkt(): string {
  const pieces: readonly (readonly Position[])[] = [
    [
      [650_300, 6_314_500],
      [650_900, 6_315_300],
    ],
    [
      [650_900, 6_315_300],
      [651_000, 6_316_900],
    ],
    [
      [651_050, 6_316_950],
      [651_060, 6_317_000],
    ],
  ];
  return `MULTILINESTRING (${pieces.map((each) => `(${pairs(each)})`).join(', ')})`;
}

/** Around an island, so its centre is not inside; with heights, as the register writes some. */
function lakeWkt(centre: Place): string {
  const shore = roundRing(centre, 32, () => 150);
  const island = reversed(roundRing(centre, 16, () => 60));
  const high = (line: Ring): Ring => line.map((each) => [...each, 4.5]);
  return areaWkt(high(shore), high(island)).replace('POLYGON', 'POLYGON Z');
}

function bowTieWkt({ x, y }: Place): string {
  return areaWkt(
    ring([
      [x, y],
      [x + 100, y + 100],
      [x + 100, y],
      [x, y + 100],
    ]),
  );
}
