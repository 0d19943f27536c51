/**
 * The six DAGI themes and the postal districts: labels on the island's cells, merged. Codes and names are invented and lie
 * outside the registers' own series, so no sample answer can be taken for a real one.
 */
import type { AreaId } from '../../src/layers/keys.ts';
import type { SampleFeature, SampleProperties } from './feature.ts';
import type { Ring, SampleGeometry } from './geometry.ts';
import { at, multiPolygon, roundRing, withHeight } from './geometry.ts';
import type { Island } from './island.ts';
import type { Cell } from './topology.ts';
import { mergeCells } from './topology.ts';

interface AreaName {
  readonly code: number;
  readonly name: string;
}

/** Areas whose codes follow each other. */
function named(first: number, names: string): readonly AreaName[] {
  return names.split(/,\s+/).map((name, i) => ({ code: first + i, name: `${name} (opdigtet)` }));
}

const REGIONS = named(1091, 'Region Prøvevest, Region Prøveøst');
const MUNICIPALITIES = named(
  91,
  'Prøveholm Kommune, Ringkilde Kommune, Midtby Kommune, Østerprøve Kommune, Yderskær, Fyrskær',
);
/** A parish name may repeat, as 150 do in the register: 9905 and 9909 are namesakes. */
const PARISHES = named(
  9901,
  `Midtby Sogn, Nørre Kilde Sogn, Sønder Kilde Sogn, Østerklint Sogn, Vor Prøve Sogn,
  Bakkelund Sogn, Nordstrand Sogn, Delesogn, Vor Prøve Sogn, Sønderklint Sogn, Havneby Sogn,
  Udflyt Sogn, Sønderø Sogn, Yderskær Sogn, Fyrskær Sogn`,
);
const COURTS = named(1191, 'Retten i Midtby, Retten på Prøveholm, Retten i Østerprøve');
const POLICE = named(1491, 'Midt- og Nordprøve Politi, Kyst- og Øpolitiet');
const NOMINATIONS = named(
  1,
  'Midtbykredsen, Ringkildekredsen, Prøveholmkredsen, Østerprøvekredsen',
);
/** Postcodes below 0100 exist nowhere; the addresses take theirs from here. */
const POSTAL_DISTRICTS = [
  ...named(91, 'Prøveholm, Ringprøve, Midtprøve, Østerprøve, Yderprøve'),
  ...named(97, 'Sønderprøve'),
];

/** One or two in each municipality, where their numbers begin anew. */
const POLLING_DISTRICTS: readonly AreaName[] = MUNICIPALITIES.flatMap(({ code, name }) => {
  const town = name.replace(' Kommune', '');
  const own = { code: code * 100 + 1, name: town };
  return code >= 95 || code === 93 ? [own] : [own, { code: code * 100 + 2, name: `Ydre ${town}` }];
});

const isDisc = (cell: Cell): boolean => cell.ring === 0;
const between = (cell: Cell, from: number, to: number): boolean =>
  cell.sector >= from && cell.sector <= to;

/** Prøveholm owns one cell in the midst of Ringkilde; Midtby fills a hole in the same. */
function municipalityOf(cell: Cell): number {
  if (cell.island === 'outer') return 95;
  if (cell.island === 'beacon') return 96;
  if (cell.island === 'south') return 91;
  if (isDisc(cell)) return 93;
  if (cell.ring === 2 && cell.sector === 8) return 91;
  if (cell.ring === 1 || between(cell, 6, 11)) return 92;
  return between(cell, 12, 19) ? 91 : 94;
}

function regionOf(cell: Cell): number {
  return municipalityOf(cell) <= 93 ? 1091 : 1092;
}

const ISLET_PARISHES: Readonly<Record<string, number>> = { south: 9913, outer: 9914, beacon: 9915 };

/** Coast parishes by sector: first sector of each on the outer ring, then on the ring inside it. */
const PARISH_STARTS: readonly (readonly [parish: number, outer: number, inner: number])[] = [
  [9904, 0, 0],
  [9905, 4, 3],
  [9906, 6, 6],
  [9907, 8, 9],
  [9908, 11, 12],
  [9909, 15, 14],
  [9910, 18, 18],
  [9911, 21, 20],
];

function parishOf(cell: Cell): number {
  const islet = ISLET_PARISHES[cell.island];
  if (islet !== undefined) return islet;
  if (isDisc(cell)) return 9901;
  if (cell.ring === 1) return cell.sector < 12 ? 9902 : 9903;
  if (cell.ring === 2 && cell.sector === 9) return 9912;
  const starts = PARISH_STARTS.filter(
    ([, outer, inner]) => cell.sector >= (cell.ring === 3 ? outer : inner),
  );
  return at(at(starts, starts.length - 1), 0);
}

/** Ringkilde is split between two courts; the coast court takes land on both sides of the region
 * border. */
function courtOf(cell: Cell): number {
  if (cell.island === 'south') return 1192;
  if (cell.island !== 'main') return 1193;
  if (cell.ring <= 1) return 1191;
  return between(cell, 6, 17) ? 1192 : 1193;
}

/** The coast police work in both regions. */
function policeOf(cell: Cell): number {
  const municipality = municipalityOf(cell);
  return municipality === 92 || municipality === 93 ? 1491 : 1492;
}

function nominationOf(cell: Cell): number {
  const municipality = municipalityOf(cell);
  if (municipality === 93) return 1;
  if (municipality === 92) return cell.ring === 1 ? 1 : 2;
  return municipality === 91 ? 3 : 4;
}

/**
 * Post follows the roads and not the borders: Prøveholm's piece in the midst of Ringkilde gets its
 * letters from there, and two islets of two municipalities are one district.
 */
function postcodeOf(cell: Cell): number {
  const municipality = municipalityOf(cell);
  if (municipality >= 95) return 95;
  if (municipality !== 91) return municipality;
  if (cell.island === 'south' || between(cell, 18, 19)) return 97;
  return cell.sector === 8 ? 92 : 91;
}

function pollingOf(cell: Cell): number {
  const municipality = municipalityOf(cell);
  const isOuter = municipality === 91 ? cell.island === 'south' : cell.ring === 3;
  return (
    municipality * 100 + (isOuter && cell.island !== 'outer' && cell.island !== 'beacon' ? 2 : 1)
  );
}

/** Districts run out into the sea, unlike every other area: this one is mostly water. */
function postalGround({ code }: AreaName, land: SampleGeometry): SampleGeometry {
  if (code !== 95) return land;
  return multiPolygon([roundRing({ x: 643_400, y: 6_318_700 }, 48, () => 900)]);
}

interface ThemePlan {
  readonly areas: readonly AreaName[];
  readonly label: (cell: Cell) => number;
  /** What an area covers, where that is not its land. */
  readonly ground?: (area: AreaName, land: SampleGeometry) => SampleGeometry;
  /** First local id at the base scale. */
  readonly firstId: number;
  readonly own: (area: AreaName, index: number) => SampleProperties;
}

const REGION_FIRST_ID = 9_910_001;
const municipalityId = (code: number): number => 9_920_001 + (code - 91);
const regionId = (code: number): number => REGION_FIRST_ID + (code - 1091);

const PLANS: Readonly<Record<AreaId, ThemePlan>> = {
  region: {
    areas: REGIONS,
    label: regionOf,
    firstId: REGION_FIRST_ID,
    own: ({ code }, i) => ({ regionskode: code, NUTS2vaerdi: `ZZ0${i + 1}` }),
  },
  kommune: {
    areas: MUNICIPALITIES,
    label: municipalityOf,
    firstId: 9_920_001,
    // Unpadded, as the classic service writes its codes, but for one that is padded already.
    own: ({ code }) => {
      const region = code <= 93 ? 1091 : 1092;
      return {
        kommunekode: code === 94 ? '0094' : String(code),
        LAU1vaerdi: String(code),
        udenforKommuneinddeling: code >= 95,
        regionskode: region,
        regionsLokalId: regionId(region),
      };
    },
  },
  sogn: {
    areas: PARISHES,
    label: parishOf,
    firstId: 9_930_001,
    own: ({ code }) => ({ sognekode: code, LAU2vaerdi: code }),
  },
  retskreds: {
    areas: COURTS,
    label: courtOf,
    firstId: 9_940_001,
    own: ({ code }, i) => ({ myndighedskode: code, retskredsnummer: i + 1 }),
  },
  politikreds: {
    areas: POLICE,
    label: policeOf,
    firstId: 9_950_001,
    own: ({ code }, i) => ({ myndighedskode: code, politikredsnummer: i + 1 }),
  },
  opstillingskreds: {
    areas: NOMINATIONS,
    label: nominationOf,
    firstId: 9_960_001,
    own: ({ code }, i) => ({
      opstillingskredsnummer: code,
      valgkredsnummer: i + 1,
      storkredsnummer: 91,
      storkredsLokalId: 9_970_001,
    }),
  },
  postnummer: {
    areas: POSTAL_DISTRICTS,
    label: postcodeOf,
    ground: postalGround,
    firstId: 9_980_001,
    own: ({ code }) => ({
      postnummer: String(code).padStart(4, '0'),
      erGadepostnummer: false,
    }),
  },
  afstemningsomraade: {
    areas: POLLING_DISTRICTS,
    label: pollingOf,
    firstId: 9_971_001,
    own: ({ code }) => ({
      afstemningsomraadenummer: String(code % 100).padStart(2, '0'),
      kommuneLokalId: municipalityId(Math.floor(code / 100)),
    }),
  },
  menighedsraadsafstemningsomraade: {
    areas: PARISHES.map(({ code, name }) => ({ code, name: name.replace(' Sogn', '') })),
    label: parishOf,
    firstId: 9_972_001,
    // Numbers of the register are missing at times.
    own: ({ code }) => ({
      MRafstemningsomraadenummer: code === 9915 ? null : String(code - 9900),
      kommuneLokalId: municipalityId(93),
    }),
  },
};

/** One theme: every area at 1:10.000 and, as the service mixes scales, once more at 1:250.000. */
export function themeFeatures(theme: AreaId, island: Island): SampleFeature[] {
  const plan = PLANS[theme];
  return plan.areas.flatMap((area, i) => {
    const land = mergeCells(island.cells.filter((cell) => plan.label(cell) === area.code));
    const geometry = plan.ground?.(area, land) ?? land;
    return [
      dagiFeature({ plan, area, i, geometry, coarse: false }),
      dagiFeature({ plan, area, i, geometry: thinned(geometry), coarse: true }),
    ];
  });
}

/** What a theme announces: areas that end, and areas as they will be. */
export interface AnnouncedAreas {
  /** Local ids at the base scale. */
  readonly ends: readonly number[];
  readonly begins: readonly SampleFeature[];
}

/** The regions become one; a parish loses its inland half to a new one. null: the theme has no plans. */
export function announcedAreas(theme: AreaId, island: Island): AnnouncedAreas | null {
  const plan = PLANS[theme];
  const begin = (area: AreaName, i: number, cells: readonly Cell[]): SampleFeature =>
    dagiFeature({ plan, area, i, geometry: mergeCells(cells), coarse: false });
  if (theme === 'region') {
    const merged = { code: 1093, name: 'Region Prøveøen (opdigtet)' };
    return {
      ends: REGIONS.map(({ code }) => regionId(code)),
      begins: [begin(merged, REGIONS.length, island.cells)],
    };
  }
  if (theme !== 'sogn') return null;
  const i = PARISHES.findIndex(({ code }) => code === SPLIT_PARISH);
  const land = island.cells.filter((cell) => plan.label(cell) === SPLIT_PARISH);
  const fresh = { code: 9916, name: 'Ny Prøve Sogn (opdigtet)' };
  return {
    ends: [plan.firstId + i],
    begins: [
      begin(at(PARISHES, i), i, land.filter(isCoast)),
      begin(
        fresh,
        PARISHES.length,
        land.filter((cell) => !isCoast(cell)),
      ),
    ],
  };
}

const SPLIT_PARISH = 9905;
const isCoast = (cell: Cell): boolean => cell.ring === 3;

interface DagiFeature {
  readonly plan: ThemePlan;
  readonly area: AreaName;
  readonly i: number;
  readonly geometry: SampleGeometry;
  readonly coarse: boolean;
}

function dagiFeature({ plan, area, i, geometry, coarse }: DagiFeature): SampleFeature {
  // Ids differ per scale: never join a base-scale reference to a generalised row.
  const id = plan.firstId + i + (coarse ? 1_250_000_000 : 0);
  return {
    id: `dagi.${id}`,
    properties: {
      'id.namespace': coarse ? 'http://data.gov.dk/dagi0250k' : 'http://data.gov.dk/dagi',
      'id.lokalId': id,
      status: 'vedtaget',
      geometristatus: 'endelig',
      virkningFra: '2018-03-09T00:00:00.000+01:00',
      virkningsaktoer: 'Prøveministeriet (opdigtet)',
      forretningshaendelse: 'DAGIajourføring',
      registreringFra: '2025-02-03T15:07:39.000+01:00',
      registreringsaktoer: 'Prøvestyrelsen (opdigtet)',
      forretningsomraade: '52.20.20.27',
      forretningsproces: coarse ? 'DAGIafledning' : 'DAGISYSeditor',
      navn: area.name,
      redigeringsret: 'Prøvestyrelsen (opdigtet)',
      dataspecifikation: 'DAGI Objektspecifikation version 2.0',
      landekode: 'DK',
      skala: coarse ? '1:250.000' : '1:10.000',
      udtraeksdato: '2026-11-01T02:00:00',
      ...plan.own(area, i),
    },
    // DAGI is delivered with a height of 0 though its specification says it is not 3D.
    geometry: coarse ? geometry : withHeight(geometry),
  };
}

/** Every fourth vertex: what a small scale looks like, and plainly not what a point is asked of. */
function thinned(geometry: SampleGeometry): SampleGeometry {
  if (geometry.type !== 'MultiPolygon') return geometry;
  const thin = (line: Ring): Ring => {
    const kept = line.slice(0, -1).filter((_, i) => i % 4 === 0);
    return [...kept, at(kept, 0)];
  };
  return { type: 'MultiPolygon', coordinates: geometry.coordinates.map((part) => part.map(thin)) };
}
