/**
 * The island's place names, with several spellings, historic names, namesakes, a self-crossing ring and a
 * name without a place.
 */
import type { Place, Ring } from '../../data/geometry.ts';
import { position, reversed, ring, roundRing } from '../../data/geometry.ts';
import { CENTRE, ISLETS, placeInland } from '../../data/island.ts';
import type { Random } from '../../data/random.ts';
import { createRandom } from '../../data/random.ts';
import { emptyTables, entitiesOf, inForceSince } from '../../data/table-row.ts';
import type { TableRow } from '../../data/table-row.ts';

/** By entity. */
export const PLACE_MIN_ROWS = {
  Stednavn: 60,
  Bebyggelse: 10,
  Landskabsform: 5,
  Soe: 5,
  Standsningssted: 5,
  Vandloeb: 5,
} as const;
export const PLACE_ENTITIES = entitiesOf(PLACE_MIN_ROWS);
export type PlaceEntity = keyof typeof PLACE_MIN_ROWS;
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

interface Kind {
  /** The column that says which, and what it may say. */
  readonly subtype: readonly [column: string, ...values: string[]];
  readonly scattered: number;
  readonly endings: readonly string[];
}

const KINDS: Readonly<Record<PlaceType, Kind>> = {
  Bebyggelse: {
    subtype: ['bebyggelsestype', 'by', 'spredtBebyggelse', 'bydel'],
    scattered: 60,
    endings: ['by', 'lev', 'rup', 'sted', 'torp', 'ager'],
  },
  Landskabsform: {
    subtype: ['landskabsformtype', 'bakke', 'dal', 'ø'],
    scattered: 10,
    endings: ['bjerg', 'høj', 'dal', 'bakke'],
  },
  Soe: { subtype: ['soetype', 'sø', 'vandhul'], scattered: 10, endings: ['sø', 'kær', 'hul'] },
  Standsningssted: {
    subtype: ['standsningsstedtype', 'togstation', 'holdeplads'],
    scattered: 8,
    endings: ['by Station', 'rup Trinbræt'],
  },
  Vandloeb: {
    subtype: ['vandloebstype', 'vandløb', 'bæk'],
    scattered: 6,
    endings: ['bæk', 'å', 'rende'],
  },
};
const FIRST = ['Birke', 'Elle', 'Horne', 'Kirke', 'Lerbæk', 'Mosse', 'Ravns', 'Skovs', 'Torne'];
const BEFORE = ['', '', '', 'Nørre ', 'Sønder ', 'Øster ', 'Vester ', 'Store ', 'Lille '];

export function generatePlaces(): Readonly<Record<PlaceEntity, readonly TableRow[]>> {
  const drawing = new Drawing();
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
  readonly name: string;
}

class Drawing {
  readonly #random = createRandom('places');
  #names = 0;
  #objects = FIRST_OBJECT;
  readonly tables = emptyTables(PLACE_ENTITIES);

  known(): void {
    const { town, station, stream, lake, islet, bowTie, nowhere, noId } = KNOWN_PLACE;
    this.#town(town);
    this.#namesakes();
    this.#place({ ...station, type: 'Standsningssted', wkt: pointWkt(CENTRE) });
    this.#place({ ...stream, type: 'Vandloeb', wkt: streamWkt() });
    this.#place({ ...lake, type: 'Soe', wkt: lakeWkt({ x: 650_700, y: 6_314_900 }) });
    const south = roundRing(ISLETS.south.centre, 48, () => ISLETS.south.radiusM);
    this.#place({ ...islet, type: 'Landskabsform', subtype: 'ø', wkt: areaWkt(south) });
    const tie = bowTieWkt({ x: 648_300, y: 6_312_600 });
    this.#place({ object: bowTie, type: 'Soe', wkt: tie, name: 'Sløjfesøen' });
    this.#name(nowhere, 'Ingensted');
    const wkt = areaWkt(roundRing({ x: 649_100, y: 6_313_300 }, 16, () => 120));
    this.#place({ object: noId, type: 'Landskabsform', id: null, wkt, name: 'Store Prøvebakke' });
  }

  #town({ object, id, name }: (typeof KNOWN_PLACE)['town']): void {
    const wkt = areaWkt(roundRing(CENTRE, 40, () => 620));
    const by = { object, id, type: 'Bebyggelse', subtype: 'by', inhabitants: 4_120, wkt } as const;
    this.#place({ ...by, name: 'Midby' }, { navnestatus: 'uofficielt', ...SECOND });
    this.#name(object, name, { navnestatus: 'suAutoriseret' });
    this.#name(object, 'Prøve Midtby', SECOND);
    this.#name(object, 'Gammel Midtby', { aktualitet: 'historisk' });
  }

  #namesakes(): void {
    const [large, small] = KNOWN_PLACE.namesakes;
    const of = { type: 'Bebyggelse', subtype: 'by', name: KNOWN_PLACE.namesake } as const;
    const at = (centre: Place) => areaWkt(roundRing(centre, 24, () => 210));
    const west = at({ x: 647_000, y: 6_312_300 });
    this.#place({ ...of, object: small, inhabitants: 85, wkt: west });
    this.#place({ ...of, object: large, inhabitants: 640, wkt: at({ x: 651_400, y: 6_316_300 }) });
  }

  scatter(): void {
    for (const type of PLACE_ENTITIES.filter((entity) => entity !== 'Stednavn')) {
      for (let i = 0; i < KINDS[type].scattered; i += 1) this.#scattered(type);
    }
  }

  #scattered(type: PlaceType): void {
    const random = this.#random;
    const object = this.#objects;
    this.#objects += 1;
    const centre = placeInland(random.between(0, 2 * Math.PI), Math.sqrt(random.next()) * 0.9);
    const wkt = wktOf(type, centre, random);
    const inhabitants = type === 'Bebyggelse' ? { inhabitants: random.integer(5, 900) } : {};
    const subtype = random.pick(KINDS[type].subtype.slice(1));
    const name = `${random.pick(BEFORE)}${random.pick(FIRST)}${random.pick(KINDS[type].endings)}`;
    this.#place({ object, type, wkt, ...inhabitants, subtype, name });
    if (!random.chance(0.1)) return;
    this.#name(object, `${name} Mark`, { navnestatus: 'uofficielt', ...SECOND });
  }

  /** With its first name. */
  #place({ object, type, wkt, id, subtype, inhabitants, name }: Drawn, spelling?: TableRow): void {
    const [column, ...values] = KINDS[type].subtype;
    const made = `5e1c0de0-0092-4a00-8000-${String(object).padStart(12, '0')}`;
    this.tables[type].push({
      ...inForceSince(REGISTERED),
      objectid: String(object),
      id_lokalId: id === undefined ? made : id,
      [column]: subtype ?? this.#random.pick(values),
      ...(type === 'Bebyggelse' && {
        bebyggelseskode: String(object % 100_000),
        indbyggertal: inhabitants === undefined ? null : String(inhabitants),
      }),
      geometri: wkt,
    });
    this.#name(object, name, spelling);
  }

  #name(object: number, skrivemaade: string, spelling: TableRow = {}): void {
    this.#names += 1;
    const row: TableRow = {
      ...inForceSince(REGISTERED),
      objectid: String(9_500_000 + this.#names),
      skrivemaade,
      navngivetSted_objectid: String(object),
      navnestatus: 'officielt',
      brugsprioritet: 'primær',
      navnefoelgenummer: '1',
      aktualitet: 'iAnvendelse',
      ...spelling,
    };
    this.tables.Stednavn.push(row);
    // An earlier registration of it.
    if (this.#names % 7 !== 0) return;
    const closed = { registreringFra: '2014-01-01T00:00:00Z', registreringTil: REGISTERED };
    this.tables.Stednavn.push({ ...row, skrivemaade: `${skrivemaade} (før)`, ...closed });
  }
}

const SECOND = { brugsprioritet: 'sekundær', navnefoelgenummer: '2' } as const;

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
  const pieces = [
    '650300 6314500, 650900 6315300',
    '650900 6315300, 651000 6316900',
    '651050 6316950, 651060 6317000',
  ];
  return `MULTILINESTRING (${pieces.map((each) => `(${each})`).join(', ')})`;
}

/** Around an island, so its centre is not inside; with heights, as the register writes some. */
function lakeWkt(centre: Place): string {
  const shore = roundRing(centre, 32, () => 150);
  const island = reversed(roundRing(centre, 16, () => 60));
  const high = (line: Ring): Ring => line.map((each) => [...each, 4.5]);
  return areaWkt(high(shore), high(island)).replace('POLYGON', 'POLYGON Z');
}

function bowTieWkt({ x, y }: Place): string {
  const [first, second] = [position({ x, y }), position({ x: x + 100, y: y + 100 })];
  return areaWkt(ring([first, second, [x + 100, y], [x, y + 100]]));
}
