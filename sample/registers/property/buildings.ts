/**
 * The island's buildings and dwellings, with cases, demolished and planned buildings, placeholders and
 * invalid points. A random source of their own leaves the other registers unchanged.
 */
import { drawnRow, floorText, pointOf } from './building-values.ts';
import { emptyTables, entitiesOf, inForceSince, textIn } from '../../data/table-row.ts';
import type { TableRow } from '../../data/table-row.ts';
import { generateAddresses, KNOWN_ADDRESS } from '../addresses/rows.ts';
import { FOREIGN_BFES, doorsOf, generateCadastre } from '../cadastre/rows.ts';
import type { Door } from '../cadastre/rows.ts';
import { createRandom } from '../../data/random.ts';
import { BUILDING_COLUMNS } from '../../../src/registers/property/record-fields.ts';

/** By entity. */
export const BBR_MIN_ROWS = {
  Ejendomsrelation: 600,
  Grund: 400,
  GrundJordstykke: 400,
  Bygning: 1_000,
  BygningEjendomsrelation: 2,
  Etage: 1_000,
  Opgang: 700,
  Enhed: 1_000,
  EnhedEjendomsrelation: 50,
  TekniskAnlaeg: 50,
} as const;
export const BBR_ENTITIES = entitiesOf(BBR_MIN_ROWS);
export type BbrEntity = keyof typeof BBR_MIN_ROWS;

const REGISTERED = '2017-06-02T12:29:37.000000Z';
const SINCE = '2000-02-05T04:57:34.000000Z';
const CONVERTED = '2021-09-14T10:00:00.000000Z';
const FUTURE = '2099-01-01T00:00:00.000000Z';
const IN_FORCE = '6';

export const KNOWN_PROPERTY = {
  bfe: 9_100_001,
  blockId: '00000000-0000-4000-8000-0000000000d1',
  demolishedId: '00000000-0000-4000-8000-0000000000d2',
  projectedId: '00000000-0000-4000-8000-0000000000d3',
  caseId: '00000000-0000-4000-8000-0000000000d4',
  tankId: '00000000-0000-4000-8000-0000000000d5',
  flatBfe: 9_200_001,
  foreignBfe: FOREIGN_BFES[0],
  foreignBuildingId: '00000000-0000-4000-8000-0000000000d6',
  /** Of a property with three grounds. */
  groundIds: [
    '00000000-0000-4000-8000-0000000000e1',
    '00000000-0000-4000-8000-0000000000e2',
    '00000000-0000-4000-8000-0000000000e3',
  ],
} as const;

/** About 2,500 buildings and 2,000 units; deterministic. */
export function generateBuildings(): Readonly<Record<BbrEntity, readonly TableRow[]>> {
  const drawing = new Drawing();
  drawing.properties();
  drawing.exhibits();
  return drawing.tables;
}

interface Site {
  readonly ground: string;
  readonly parcel: string;
  readonly municipality: string;
}

interface House {
  readonly id: string;
  readonly site: Site;
  readonly door: Door;
  readonly homes: readonly TableRow[];
  readonly area: number;
}

class Drawing {
  readonly #random = createRandom('buildings');
  readonly #sources = { ...generateAddresses(), ...generateCadastre() };
  readonly #homes = Map.groupBy(this.#sources.Adresse, (row) => textIn(row, 'husnummer'));
  readonly #flats = new Map<string, string>();
  #foreign = 0;
  readonly tables = emptyTables(BBR_ENTITIES);

  properties(): void {
    this.#flatProperties();
    const doors = Map.groupBy(doorsOf(this.#sources), ({ parcel }) => parcel);
    const parcels = this.#sources.Jordstykke;
    const doorsAt = (row: TableRow) => doors.get(textIn(row, 'id_lokalId')) ?? [];
    const three = parcels.slice(1).find((row) => doorsAt(row).length >= 3);
    for (const row of parcels) this.#whole(row, doorsAt(row), row === three);
  }

  #whole(row: TableRow, doors: readonly Door[], isThree: boolean): void {
    const bfe = textIn(row, 'samletFastEjendomLokalId');
    const municipality = textIn(row, 'kommuneLokalId');
    // Sometimes the type is its code.
    const ejendomstype = this.#random.chance(0.1) ? '1' : 'SFE';
    const property = this.#property(bfe, municipality, { ejendomstype, samletFastEjendom: bfe });
    if (doors.length === 0 && this.#random.chance(0.5)) return;
    const grounds = isThree ? KNOWN_PROPERTY.groundIds : [this.#random.uuid()];
    for (const [n, ground] of grounds.entries()) {
      // The last has the most buildings.
      const own = doors.slice(n, n + 1 < grounds.length ? n + 1 : undefined);
      const site = { ground, parcel: textIn(row, 'id_lokalId'), municipality };
      this.#ground(property, site, doors[0]?.id ?? null);
      for (const [i, door] of own.entries()) this.#house(site, door, i + 1);
      if (own[0] !== undefined) this.#beside(site, own[0], own.length);
    }
  }

  /** Rows of the block that are not, or not yet, in force. */
  exhibits(): void {
    const { blockId, demolishedId, projectedId, caseId, tankId } = KNOWN_PROPERTY;
    const { Bygning, TekniskAnlaeg } = this.tables;
    const now = Bygning.findIndex((row) => row['id_lokalId'] === blockId);
    const block = Bygning[now];
    if (block === undefined) throw new Error('The sample has no block of flats.');
    const like = (id: string, status: string, values: TableRow): TableRow => ({
      ...block,
      ...{ id_lokalId: id, status, byg007Bygningsnummer: '90', ...values },
    });
    const oil = { byg056Varmeinstallation: '2', byg057Opvarmningsmiddel: '3' };
    Bygning.push(
      // Heated with oil until the conversion; the next source begins later.
      { ...block, virkningTil: CONVERTED, ...oil },
      { ...block, virkningFra: FUTURE, byg057Opvarmningsmiddel: '9' },
      // A closed registration does not describe today.
      { ...block, registreringTil: REGISTERED, virkningFra: SINCE, byg026Opførelsesår: '1801' },
      like(demolishedId, '10', { byg026Opførelsesår: '1890' }),
      like(projectedId, '2', { byg404Koordinat: 'GEOMETRYCOLLECTION EMPTY' }),
      // A case writes its change as a difference.
      like(caseId, '9', { byg038SamletBygningsareal: '-120', byg041BebyggetAreal: '-60' }),
    );
    Bygning[now] = { ...block, virkningFra: CONVERTED };
    // A floor and a unit in force, in a building that is not.
    const floor = this.#floor(demolishedId, 'st');
    this.#unit({ etage: floor, opgang: null }, { building: demolishedId, address: null, area: 44 });
    TekniskAnlaeg.push({
      ...rowOf(tankId, IN_FORCE),
      ...{ ...drawnRow('tank', this.#random), bygning: null },
      grund: block['grund'] ?? null,
      // Danish midnights of summer and of winter.
      tek035SløjfningsfristOlietank: '2027-08-11T22:00:00Z',
      tek111DatoForSenesteInspektion: '2024-12-30T23:00:00Z',
      tek028SløjfningOlietank: '0',
    });
  }

  #flatProperties(): void {
    const { Ejerlejlighed, Ejendomsbeliggenhed } = this.#sources;
    const links = Ejendomsbeliggenhed.filter((row) => row['adresseLokalId'] !== null);
    for (const [n, row] of Ejerlejlighed.entries()) {
      const isGone = row['status'] !== 'Gældende';
      const id = this.#property(textIn(row, 'BFEnummer'), '0093', {
        ejendomstype: 'Ejerlejlighed',
        ejerlejlighed: row['id_lokalId'] ?? null,
        status: isGone ? '10' : '7',
      });
      if (!isGone) this.#flats.set(textIn(links[n], 'adresseLokalId'), id);
    }
  }

  #property(bfeNummer: string, municipality: string, values: TableRow): string {
    const id = this.#random.uuid();
    const none = { samletFastEjendom: null, bygningPåFremmedGrund: null, ejerlejlighed: null };
    this.tables.Ejendomsrelation.push({
      ...{ ...rowOf(id, '7', municipality), bfeNummer, ...none, ...values },
    });
    return id;
  }

  #ground(property: string, { ground, parcel, municipality }: Site, door: string | null): void {
    const random = this.#random;
    const drainage = random.pick(['10', '10', '10', '10', '10', '5', '75']);
    const hasOrder = random.chance(0.03);
    this.tables.Grund.push({
      ...rowOf(ground, '7', municipality),
      gru009Vandforsyning: '1',
      gru010Afløbsforhold: drainage,
      gru021Udledningstilladelse: random.chance(0.09) ? '1' : null,
      gru022MedlemskabAfSpildevandsforsyning: random.chance(0.03) ? '1' : null,
      gru023PåbudVedrSpildevandsafledning: hasOrder ? '1' : null,
      gru024FristVedrSpildevandsafledning: hasOrder ? '2026-05-03T22:00:00Z' : null,
      husnummer: door,
      bestemtFastEjendom: property,
    });
    this.tables.GrundJordstykke.push({
      ...rowOf(random.uuid(), null, municipality),
      grund: ground,
      jordstykke: random.chance(0.02) ? null : parcel,
    });
  }

  #house(site: Site, door: Door, number: number): void {
    const random = this.#random;
    const isBlock = door.id === KNOWN_ADDRESS.accessId;
    const homes = (this.#homes.get(door.id) ?? []).filter((row) => row['status'] === '3');
    const storeys = Math.max(1, new Set(homes.map((row) => row['etagebetegnelse'])).size);
    const isForeign =
      !isBlock && homes.length === 1 && number === 2 && this.#foreign < FOREIGN_BFES.length;
    const known = isForeign && this.#foreign === 0 && KNOWN_PROPERTY.foreignBuildingId;
    const id = (isBlock && KNOWN_PROPERTY.blockId) || known || this.#random.uuid();
    const isLarge = homes.length >= 4;
    const use = isLarge ? '140' : random.pick(['120', '120', '120', '120', '130', '110']);
    const area = isLarge ? 80 * homes.length : random.integer(60, 240);
    this.#building(site, id, {
      byg007Bygningsnummer: String(number),
      // Sometimes a code that no list has.
      byg021BygningensAnvendelse: random.chance(0.005) ? '999' : use,
      byg038SamletBygningsareal: String(area),
      byg039BygningensSamledeBoligAreal: String(area),
      byg041BebyggetAreal: String(Math.round(area / storeys)),
      byg054AntalEtager: String(storeys),
      ...drawnRow('house', random),
      byg404Koordinat: pointOf(door, 0),
      husnummer: door.id,
    });
    if (isForeign) this.#foreignProperty(id, site);
    this.#inside({ id, site, door, homes, area });
  }

  #inside({ id, site, door, homes, area }: House): void {
    const random = this.#random;
    const opgang = random.uuid();
    this.tables.Opgang.push({
      ...rowOf(opgang, IN_FORCE, site.municipality),
      ...{ opg020Elevator: '0', adgangFraHusnummer: door.id, bygning: id },
    });
    const size = Math.round(area / homes.length);
    for (const [floor, there] of Map.groupBy(homes, (row) => row['etagebetegnelse'] ?? 'st')) {
      const etage = this.#floor(id, floorText(floor));
      for (const home of there) {
        const address = home['id_lokalId'] ?? null;
        this.#unit({ etage, opgang }, { building: id, address, area: size });
      }
    }
    if (random.chance(0.15)) this.#floor(id, 'kl', { basement: random.integer(20, 90) });
    if (random.chance(0.2)) this.#floor(id, '01', { attic: random.integer(15, 70) });
  }

  #foreignProperty(bygning: string, { municipality }: Site): void {
    const bfe = String(FOREIGN_BFES[this.#foreign] ?? '');
    const row = this.#sources.BygningPaaFremmedGrund[this.#foreign];
    this.#foreign += 1;
    const property = this.#property(bfe, municipality, {
      ejendomstype: 'BPFG',
      bygningPåFremmedGrund: row?.['id_lokalId'] ?? null,
    });
    this.tables.BygningEjendomsrelation.push({
      ...rowOf(this.#random.uuid(), null, municipality),
      ...{ bygning, bygningPåFremmedGrund: property },
    });
  }

  #building(site: Site, id: string, values: TableRow): void {
    const random = this.#random;
    const built = random.chance(0.11) ? 1000 : random.chance(0.01) ? 0 : random.integer(1850, 2024);
    const drawn: TableRow = {
      ...rowOf(id, IN_FORCE, site.municipality),
      byg026Opførelsesår: String(built),
      byg027OmTilbygningsår: random.chance(0.8) ? '0' : String(random.integer(1960, 2024)),
      ...drawnRow('building', random),
      ...{ jordstykke: site.parcel, grund: site.ground, ...values },
    };
    this.tables.Bygning.push({ ...drawn, ...undrawn(drawn) });
  }

  #floor(bygning: string, designation: string, { basement = 0, attic = 0 } = {}): string {
    const id = this.#random.uuid();
    this.tables.Etage.push({
      ...rowOf(id, IN_FORCE),
      eta006BygningensEtagebetegnelse: designation,
      eta020SamletArealAfEtage: String(basement + attic),
      eta021ArealAfUdnyttetDelAfTagetage: String(attic),
      eta022Kælderareal: String(Math.round(basement / 2)),
      eta023ArealAfLovligBeboelseIKælder: '0',
      eta025Etagetype: attic > 0 ? '1' : '0',
      bygning,
    });
    return id;
  }

  #unit(
    within: { readonly etage: string; readonly opgang: string | null },
    of: { readonly building: string; readonly address: string | null; readonly area: number },
  ): void {
    const random = this.#random;
    const enhed = random.uuid();
    this.tables.Enhed.push({
      ...rowOf(enhed, IN_FORCE),
      enh020EnhedensAnvendelse: '120',
      enh026EnhedensSamledeAreal: String(of.area),
      enh031AntalVærelser: String(random.integer(1, 6)),
      enh051Varmeinstallation: random.chance(0.01) ? '7' : null,
      enh052Opvarmningsmiddel: null,
      adresseIdentificerer: of.address,
      ...within,
      // Older rows have none; then the floor names it.
      bygning: random.chance(0.5) ? of.building : null,
    });
    const ejerlejlighed = of.address === null ? null : this.#flats.get(of.address);
    if (!ejerlejlighed) return;
    const link = { ...rowOf(random.uuid(), null), enhed, ejerlejlighed };
    this.tables.EnhedEjendomsrelation.push(link);
  }

  /** Sheds, and one in five has a tank or a turbine. */
  #beside(site: Site, door: Door, houses: number): void {
    const random = this.#random;
    for (let n = random.integer(0, 2); n > 0; n -= 1) {
      this.#building(site, random.uuid(), {
        byg007Bygningsnummer: String(houses + n),
        byg021BygningensAnvendelse: random.pick(['910', '920', '930']),
        byg038SamletBygningsareal: '0',
        byg039BygningensSamledeBoligAreal: '0',
        byg041BebyggetAreal: String(random.integer(8, 60)),
        byg054AntalEtager: '0',
        byg056Varmeinstallation: null,
        byg057Opvarmningsmiddel: null,
        byg058SupplerendeVarme: null,
        byg404Koordinat: pointOf(door, 6 + 4 * n),
        husnummer: door.id,
      });
    }
    if (!random.chance(0.2)) return;
    const isTank = random.chance(0.9);
    this.tables.TekniskAnlaeg.push({
      ...rowOf(random.uuid(), IN_FORCE, site.municipality),
      ...drawnRow(isTank ? 'tank' : 'turbine', random),
      ...(isTank && { bygning: null }),
      ...{ tek109Koordinat: pointOf(door, 3), grund: site.ground },
    });
  }
}

/** The example of each field that is not drawn. */
function undrawn(drawn: TableRow): TableRow {
  const names = Object.keys(drawn);
  const left = BUILDING_COLUMNS.filter(
    ({ prefix }) => !names.some((name) => name.startsWith(prefix)),
  );
  return Object.fromEntries(
    left.map(({ prefix, example }) => [prefix, example === null ? null : String(example)]),
  );
}

function rowOf(id: string, status: string | null, kommunekode = '0093'): TableRow {
  const own = { id_lokalId: id, ...(status !== null && { status }), kommunekode };
  return { ...own, ...inForceSince(SINCE, REGISTERED) };
}
