/**
 * The island's invented addresses, with stacked and missing points, retired and provisional addresses, and
 * renamed roads.
 */
import { createGrounds } from '../property/grounds.ts';
import type { Ground } from '../property/grounds.ts';
import type { Place } from '../../data/geometry.ts';
import { at, toMillimetre } from '../../data/geometry.ts';
import { propertyRows } from '../property/properties.ts';
import { emptyTables, entitiesOf, inForceSince } from '../../data/table-row.ts';
import type { TableRow } from '../../data/table-row.ts';
import { createRandom } from '../../data/random.ts';

/** By entity. */
export const ADDRESS_MIN_ROWS = {
  Postnummer: 6,
  SupplerendeBynavn: 3,
  NavngivenVej: 60,
  NavngivenVejKommunedel: 60,
  Adressepunkt: 1_000,
  Husnummer: 1_000,
  Adresse: 1_500,
  Ejendomsbeliggenhed: 600,
} as const;
export const ADDRESS_ENTITIES = entitiesOf(ADDRESS_MIN_ROWS);
export type AddressEntity = keyof typeof ADDRESS_MIN_ROWS;
/** Includes the parcels, which are drawn together with them (cadastre.ts). */
type Drawn = AddressEntity | 'Jordstykke';
export type AddressTables = Readonly<Record<Drawn, readonly TableRow[]>>;

const REGISTERED = '2018-05-03T16:58:34.000000Z';
const SINCE = '2005-01-01T12:00:00.000000Z';
const RENAMED = '2021-06-01T00:00:00.000000Z';
const FUTURE = '2099-01-01T00:00:00.000000Z';

interface Town extends Ground {
  readonly name: string;
  readonly roads: number;
  /** Part of the town's roads have it. */
  readonly supplementary?: string;
}

/** Postcodes below 0100 and these names do not exist in Denmark. */
const TOWNS: readonly Town[] = [
  { municipality: '0093', postcode: '0093', name: 'Midtprøve', roads: 16 },
  {
    municipality: '0092',
    postcode: '0092',
    name: 'Ringprøve',
    roads: 12,
    supplementary: 'Opdigtby',
  },
  {
    municipality: '0091',
    postcode: '0091',
    name: 'Prøveholm',
    roads: 14,
    supplementary: 'Påfundsrød',
  },
  { municipality: '0091', postcode: '0097', name: 'Sønderprøve', roads: 6 },
  {
    municipality: '0094',
    postcode: '0094',
    name: 'Østerprøve',
    roads: 12,
    supplementary: 'Eksempelstrup',
  },
  { municipality: '0095', postcode: '0095', name: 'Yderprøve', roads: 2 },
  { municipality: '0096', postcode: '0095', name: 'Yderprøve', roads: 1 },
];

/** A postcode for one receiver's letters: it has addresses but no district. */
const RECEIVER: Town = { ...at(TOWNS, 0), postcode: '0098', name: 'Storprøve', roads: 0 };

const STEMS = ['Prøve', 'Opdigter', 'Påfunds', 'Eksempel', 'Kladde', 'Mønster', 'Skitse', 'Øve'];
const ENDS = ['vej', 'gade', 'stræde', 'allé', 'bakken', 'toften', 'vænget', 'stien'];
const BEFORE = ['', '', '', '', 'Gl. ', 'Nørre ', 'Sdr. ', 'Skt. '];

/**
 * What examples and tests rely on: ids that belong to no real address, and places on the island.
 */
export const KNOWN_ADDRESS = {
  roadId: '00000000-0000-4000-8000-0000000000a1',
  accessId: '00000000-0000-4000-8000-0000000000b1',
  unitId: '00000000-0000-4000-8000-0000000000c1',
  retiredAccessId: '00000000-0000-4000-8000-0000000000b4',
  roadName: 'Ny Prøvegade',
  formerRoadName: 'Gammel Opdigtergade',
  houseNumber: '12A',
  floor: '2',
  door: 'tv',
  postcode: '0093',
  postcodeName: 'Midtprøve',
  municipalityCode: '0093',
  bfe: 9_100_001,
  unitBfe: 9_200_001,
  /** EPSG:25832: one access address, and the two stacked ones slightly west of it. */
  place: { x: 650_040.5, y: 6_314_025.25 },
  stacked: { x: 650_020, y: 6_314_025 },
  stackedIds: ['00000000-0000-4000-8000-0000000000b2', '00000000-0000-4000-8000-0000000000b3'],
  receiver: { id: '00000000-0000-4000-8000-0000000000b5', postcode: '0098', name: 'Storprøve' },
} as const;

/** About 1,200 access and 2,000 unit addresses; deterministic. */
export function generateAddresses(): AddressTables {
  const drawing = new Drawing();
  drawing.exhibits();
  for (const town of TOWNS) drawing.town(town);
  drawing.receiver();
  const { Husnummer: accesses, Adresse: units, Jordstykke: parcels } = drawing.tables;
  const knownUnitId = KNOWN_ADDRESS.unitId;
  const properties = propertyRows({ accesses, units, parcels, knownUnitId });
  return { ...drawing.tables, Ejendomsbeliggenhed: properties };
}

interface Road {
  readonly id: string;
  readonly name: string;
  readonly town: Town;
  readonly supplementary: { readonly id: string; readonly name: string } | null;
  readonly code: string;
}

interface Access {
  readonly id: string;
  readonly road: Road;
  readonly number: string;
  readonly status: string;
  readonly parcel: string;
  readonly place: Place | null;
}

class Drawing {
  readonly #random = createRandom('addresses');
  readonly #grounds = createGrounds(this.#random);
  readonly #names = new Set<string>();
  readonly #postcodes = new Map<string, string>();
  readonly #parcels: string[] = [];
  readonly tables = emptyTables<Drawn>([...ADDRESS_ENTITIES, 'Jordstykke']);

  exhibits(): void {
    const { accessId, unitId, retiredAccessId, stackedIds, place, stacked } = KNOWN_ADDRESS;
    const { roadName, formerRoadName, houseNumber, bfe } = KNOWN_ADDRESS;
    const parcel = this.#parcel(bfe);
    const road = knownRoad(at(TOWNS, 0));
    this.#names.add(roadName);
    this.tables.NavngivenVej.push(
      roadRow(road, { name: formerRoadName, to: RENAMED }),
      roadRow(road, { from: RENAMED, to: FUTURE }),
      roadRow(road, { name: 'Kommende Prøvegade', from: FUTURE }),
      // A closed registration does not describe today.
      { ...roadRow(road, { name: 'Fejlskrevet Prøvegade' }), registreringTil: REGISTERED },
    );
    this.#part(road);
    const known = { road, parcel, status: '3' };
    const block = this.#access({ ...known, id: accessId, number: houseNumber, place });
    this.#unit(block, ['2', 'tv'], unitId);
    for (const floor of ['st', '1']) {
      for (const door of ['tv', 'th']) this.#unit(block, [floor, door]);
    }
    this.#unit(block, ['2', 'th']);
    this.#unit(block, ['kl', '1']);
    for (const [i, id] of stackedIds.entries()) {
      this.#unit(this.#access({ ...known, id, number: String(8 + 2 * i), place: stacked }));
    }
    const gone = { x: place.x + 30, y: place.y };
    this.#access({ ...known, id: retiredAccessId, number: '14', place: gone, status: '4' });
  }

  receiver(): void {
    const { receiver, place } = KNOWN_ADDRESS;
    const door = { id: receiver.id, number: '16', place: { x: place.x + 60, y: place.y } };
    this.#access({ ...door, road: knownRoad(RECEIVER), parcel: at(this.#parcels, 0), status: '3' });
  }

  town(town: Town): void {
    const name = town.supplementary;
    const supplementary = name === undefined ? null : { id: this.#supplementary(name), name };
    for (let i = 0; i < town.roads; i += 1) {
      const road: Road = {
        id: this.#random.uuid(),
        name: this.#roadName(),
        town,
        supplementary: supplementary !== null && this.#random.chance(0.4) ? supplementary : null,
        code: String(100 + this.tables.NavngivenVej.length).padStart(4, '0'),
      };
      this.tables.NavngivenVej.push(roadRow(road));
      this.#part(road);
      this.#along(road);
    }
  }

  #roadName(): string {
    const random = this.#random;
    for (;;) {
      const name = `${random.pick(BEFORE)}${random.pick(STEMS)}${random.pick(ENDS)}`;
      // A few names recur in other towns, as in reality.
      if (this.#names.has(name) && !random.chance(0.05)) continue;
      this.#names.add(name);
      return name;
    }
  }

  /** Doors on both sides, odd and even, within the municipality and the postal district. */
  #along(road: Road): void {
    const random = this.#random;
    const start = this.#grounds.placeIn(road.town);
    const heading = random.between(0, 2 * Math.PI);
    const doors = random.integer(10, 34);
    for (let n = 1; n <= doors; n += 1) {
      const along = Math.floor((n + 1) / 2) * random.between(18, 26);
      const side = n % 2 === 0 ? 9 : -9;
      const place = {
        x: toMillimetre(start.x + along * Math.cos(heading) - side * Math.sin(heading)),
        y: toMillimetre(start.y + along * Math.sin(heading) + side * Math.cos(heading)),
      };
      if (!this.#grounds.holds(road.town, place)) continue;
      const number = random.chance(0.08) ? `${n}${random.pick(['A', 'B', 'C'])}` : String(n);
      this.#door(road, number, place);
    }
  }

  #door(road: Road, number: string, place: Place): void {
    const random = this.#random;
    const id = random.uuid();
    const status = random.pick(['3', '3', '3', '3', '3', '3', '3', '3', '2', '4', '5', '3']);
    const isNew = random.chance(0.5) || this.#parcels.length === 0;
    const parcel = isNew ? this.#parcel() : at(this.#parcels, this.#parcels.length - 1);
    // The register has addresses without a point, and points at zero.
    const point = random.chance(0.01) ? null : random.chance(0.005) ? { x: 0, y: 0 } : place;
    const access = this.#access({ id, road, number, status, parcel, place: point });
    if (road.town.municipality !== '0093' || !random.chance(0.4)) {
      this.#unit(access);
      return;
    }
    for (const floor of ['st', '1', '2', '3'].slice(0, random.integer(2, 4))) {
      for (const door of random.pick(DOORS)) this.#unit(access, [floor, door]);
    }
  }

  #access(access: Access): Access {
    const { id, road, number, status, parcel, place } = access;
    const point = place === null ? null : this.#point(place);
    this.tables.Husnummer.push({
      ...identity(id, status),
      adgangsadressebetegnelse: textOf(road, number),
      adgangspunkt: point,
      husnummerretning: 'POINT (1 0)',
      husnummertekst: number.padStart(3, '0'),
      jordstykke: parcel,
      navngivenVej: road.id,
      postnummer: this.#postcode(road.town),
      supplerendeBynavn: road.supplementary?.id ?? null,
      vejmidte: `${road.town.municipality}-${road.code}`,
      vejpunkt: place === null ? null : this.#roadPoint(id, place),
    });
    return access;
  }

  /** Of one home, or of a floor and a door in it. */
  #unit(
    { id: husnummer, road, number, status }: Access,
    [floor, door]: readonly [string | null, string | null] = [null, null],
    id = this.#random.uuid(),
  ): void {
    this.tables.Adresse.push({
      ...identity(id, status),
      adressebetegnelse: textOf(road, floor === null ? number : `${number}, ${floor}. ${door}`),
      doerbetegnelse: door,
      etagebetegnelse: floor,
      husnummer,
    });
  }

  #point({ x, y }: Place, id = this.#random.uuid(), standard = 'TD'): string {
    this.tables.Adressepunkt.push({
      ...identity(id, '8'),
      oprindelse_kilde: 'Adressemyn',
      oprindelse_noejagtighedsklasse: 'A',
      oprindelse_registrering: '2012-02-20T22:59:00.000000Z',
      oprindelse_tekniskStandard: standard,
      position: `POINT (${x.toFixed(2)} ${y.toFixed(2)})`,
    });
    return id;
  }

  /** Where it meets its road: of the known addresses alone. */
  #roadPoint(accessId: string, { x, y }: Place): string | null {
    const id = accessId.replace(/^(0{8}-.*)b(?=.$)/, '$1d');
    return id === accessId ? null : this.#point({ x, y: y - 9 }, id, 'V0');
  }

  #part({ id, town, code }: Road): void {
    const of = { kommune: town.municipality, navngivenVej: id, vejkode: code };
    this.tables.NavngivenVejKommunedel.push({ ...identity(this.#random.uuid(), '3'), ...of });
  }

  #postcode({ postcode, name }: Town): string {
    const id = this.#postcodes.get(postcode) ?? this.#random.uuid();
    if (!this.#postcodes.has(postcode)) {
      this.tables.Postnummer.push({ ...identity(id, '3'), navn: name, postnr: postcode });
    }
    this.#postcodes.set(postcode, id);
    return id;
  }

  #supplementary(navn: string): string {
    const id = this.#random.uuid();
    const supplerendebynavn1 = String(690_001 + this.tables.SupplerendeBynavn.length);
    this.tables.SupplerendeBynavn.push({ ...identity(id, '3'), navn, supplerendebynavn1 });
    return id;
  }

  #parcel(bfe = 9_100_002 + this.#parcels.length): string {
    const id = String(9_600_001 + this.#parcels.length);
    this.#parcels.push(id);
    this.tables.Jordstykke.push({
      ...identity(id, 'Gældende'),
      matrikelnummer: `${this.#parcels.length}a`,
      samletFastEjendomLokalId: String(bfe),
    });
    return id;
  }
}

const DOORS = [
  ['tv', 'th'],
  ['tv', 'mf', 'th'],
  ['1', '2', '3'],
];

function knownRoad(town: Town): Road {
  const { roadId, roadName } = KNOWN_ADDRESS;
  return { id: roadId, name: roadName, town, supplementary: null, code: '0012' };
}

function identity(id: string, status: string): TableRow {
  return { id_lokalId: id, status, ...inForceSince(SINCE, REGISTERED) };
}

function roadRow(
  road: Road,
  { name = road.name, from = SINCE, to }: { name?: string; from?: string; to?: string } = {},
): TableRow {
  return {
    ...identity(road.id, '3'),
    ...{ virkningFra: from, virkningTil: to ?? null },
    administreresAfKommune: road.town.municipality,
    ...{ vejadresseringsnavn: name, vejnavn: name },
  };
}

function textOf({ name, town, supplementary }: Road, number: string): string {
  const place = supplementary === null ? '' : `${supplementary.name}, `;
  return `${name} ${number}, ${place}${town.postcode} ${town.name}`;
}
