/**
 * One complete record with every key of the contract (D59). The island, district and municipality
 * are invented and say so.
 */
import { pointFromWgs84 } from '../../geo/project.ts';
import { SERVICE_VERSION } from '../../kernel/identity.ts';
import { epsg25832 } from '../../answers/numbers.ts';
import { CodeLabels } from '../../answers/codes.ts';
import { exampleRow } from './fields.ts';
import {
  DRAINAGE_FIELDS,
  EXAMPLE_BUILDING,
  FACILITY_FIELDS,
  TANK_FIELDS,
  beginBuilding,
} from './record-fields.ts';
import { drainage } from './record/drainage.ts';
import { facility } from './record/facility.ts';
import type { PropertyRecord } from './schema.ts';

type Building = PropertyRecord['bygninger'][number];

const code = (kode: string, tekst: string) => ({ kode, tekst });

const LABELS = new CodeLabels((list) => {
  throw new Error(`An example is not in ${list}.`);
});

const DRAINAGE = drainage(exampleRow(DRAINAGE_FIELDS), LABELS);

const HOUSE = pointFromWgs84({ lon: 11.52, lat: 56.72 });
const GARAGE = pointFromWgs84({ lon: 11.5203, lat: 56.7201 });

const ID = {
  ground: '00000000-0000-4000-8000-000000000001',
  house: '00000000-0000-4000-8000-000000000002',
  garage: '00000000-0000-4000-8000-000000000003',
  unit: '00000000-0000-4000-8000-000000000004',
  floor: '00000000-0000-4000-8000-000000000005',
  basement: '00000000-0000-4000-8000-000000000006',
  tank: '00000000-0000-4000-8000-000000000007',
  address: '00000000-0000-4000-8000-000000000008',
};

const MUNICIPALITY = { kode: '9999', navn: 'Opdigtet Kommune' };
const PARCEL = {
  matrikelnummer: '1a',
  ejerlav_kode: 9999901,
  ejerlav_navn: 'Opdigtet By, Eksempelø',
};

export function demoProperty(): PropertyRecord {
  return {
    type: 'ejendom',
    bfe_nummer: 999_000_001,
    grund_id: ID.ground,
    kommunekode: MUNICIPALITY.kode,
    dagi: { kommune: MUNICIPALITY, region: { kode: '9998', navn: 'Opdigtet Region' } },
    jordstykke: PARCEL,
    jordstykker: [PARCEL, { ...PARCEL, matrikelnummer: '1b' }],
    antal_bygninger: 2,
    hovedbygning_index: 0,
    bygninger: [house(), garage()],
    ejer: { bemaerkning: 'Opdigtet ejer; felterne her er ikke fastlagt i kontrakten.' },
    vurdering: {
      antal_vurderingsejendomme: 1,
      seneste: {
        aar: 2022,
        ejendomsvaerdi_kr: 1_850_000,
        grundvaerdi_kr: 640_000,
        vurderet_areal_m2: 912,
      },
      historik: [{ aar: 2020, ejendomsvaerdi_kr: 1_700_000, grundvaerdi_kr: 590_000 }],
    },
    grund_afloeb: { ...DRAINAGE, udledningstilladelse: code('0', 'Ikke oplyst') },
    tekniske_anlaeg: [tank()],
    meta: {
      kilde: 'Opdigtet eksempel; ingen af oplysningerne findes i et register',
      service_version: SERVICE_VERSION,
      as_of: '2026-01-01',
    },
  };
}

function house(): Building {
  return {
    ...beginBuilding({ ...EXAMPLE_BUILDING, id: ID.house }, LABELS),
    afloeb: DRAINAGE,
    geometri: place(HOUSE),
    kommunekode: MUNICIPALITY.kode,
    fredning: {
      fredet: false,
      status: 3,
      status_tekst: 'vurderet',
      bevaringsvaerdi: 4,
      kilde: 'fbb',
      hentet: '2026-01-01T03:00:00.000Z',
    },
    etager: floors(),
    enheder: [unit()],
  };
}

function garage(): Building {
  return {
    ...house(),
    id: ID.garage,
    bygningsnummer: 2,
    anvendelse: code('910', 'Garage'),
    om_tilbygningsaar: null,
    afvigende_etager: null,
    areal: {
      bebygget_m2: 24,
      samlet_bygningsareal_m2: 24,
      samlet_boligareal_m2: null,
      samlet_erhvervsareal_m2: null,
    },
    varme: { installation: null, opvarmningsmiddel: null, supplerende: null },
    asbest: null,
    geometri: place(GARAGE),
    fredning: null,
    etager: null,
    enheder: [],
  };
}

function place(point: typeof HOUSE): NonNullable<Building['geometri']> {
  const { lon, lat } = point.wgs84;
  return { type: 'Point', coordinates: [lon, lat], epsg25832: epsg25832(point) };
}

function floors(): NonNullable<Building['etager']> {
  const none = {
    udnyttet_tagetage_m2: null,
    kaelder_lavloftet_m2: null,
    beboelse_i_kaelder_m2: null,
  };
  return {
    registreringer: [
      {
        ...none,
        id: ID.floor,
        betegnelse: 'st',
        type: code('0', 'Ikke tagetage'),
        areal_m2: 132,
      },
      {
        ...none,
        id: ID.basement,
        betegnelse: 'kl',
        type: code('2', 'Kælder'),
        areal_m2: 40,
        kaelder_lavloftet_m2: 40,
      },
    ],
    kaelder_m2: 40,
    kaelder_lavloftet_m2: 40,
    udnyttet_tagetage_m2: null,
    beboelse_i_kaelder_m2: null,
  };
}

function unit(): Building['enheder'][number] {
  return {
    id: ID.unit,
    anvendelse: code('120', 'Fritliggende enfamiliehus'),
    areal: { samlet_m2: 132 },
    antal_vaerelser: 5,
    varme: {
      installation: code('2', 'Centralvarme med én fyringsenhed'),
      opvarmningsmiddel: code('3', 'Flydende brændsel'),
    },
    etage: { betegnelse: 'st', type: code('0', 'Ikke tagetage') },
    adresse: {
      id: ID.address,
      betegnelse: 'Eksempelvej 1, 0000 Opdigtet By',
      vejnavn: 'Eksempelvej',
      husnr: '1',
      etage: null,
      doer: null,
      postnr: '0000',
      postnrnavn: 'Opdigtet By',
      kommunekode: MUNICIPALITY.kode,
      koordinat: { ...HOUSE.wgs84 },
      _note: 'Sættes når en oplysning om adressen kræver en bemærkning.',
      _error: 'Sættes når adressen ikke kunne slås op.',
    },
  };
}

function tank() {
  return facility(
    {
      ...exampleRow({ ...FACILITY_FIELDS, ...TANK_FIELDS }),
      ...{ id: ID.tank, number: 1, class: '1110', buildingId: ID.house },
      ...{ x: HOUSE.utm32.xUtm32, y: HOUSE.utm32.yUtm32 },
    },
    LABELS,
  );
}
