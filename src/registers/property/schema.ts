import { Type } from 'typebox';
import type { Static, TSchema, TUnsafe } from 'typebox';
import { AREA_NAMES, closed, nullable, oneOf, ref } from '../../core/question/schemas.ts';
import { BUILDING_FIELDS, DRAINAGE_FIELDS, FACILITY_FIELDS, TANK_FIELDS } from './record-fields.ts';
import { isField } from './fields.ts';
import type { Field, Fields, Recorded } from './fields.ts';

const text = Type.String();
const textOrNull = nullable(Type.String());
const numberOrNull = nullable(Type.Number());
const codeField = ref<{ kode: string; tekst: string }>('Kodefelt');
const codeOrNull = nullable(codeField);

type SchemasOf<F extends Fields> = { [Key in keyof F]: TUnsafe<Recorded<F[Key]>> };

function membersOf<F extends Fields>(fields: F): SchemasOf<F> {
  const schemas = Object.entries(fields).map(([key, member]): [string, TSchema] => [
    key,
    isField(member) ? fieldSchema(member) : closed(membersOf(member)),
  ]);
  return Object.fromEntries(schemas) as SchemasOf<F>;
}

const FIELD_SCHEMAS = {
  ...{ integer: numberOrNull, decimal: numberOrNull },
  ...{ text: textOrNull, date: textOrNull, code: codeOrNull },
};

function fieldSchema({ kind, description }: Field): TSchema {
  const schema = FIELD_SCHEMAS[kind];
  return description === undefined ? schema : { ...schema, description: description.en };
}

export const DrainageSchema = closed(membersOf(DRAINAGE_FIELDS), { $id: 'Afloeb' });

export const GroundDrainageSchema = closed(
  { ...membersOf(DRAINAGE_FIELDS), udledningstilladelse: codeOrNull },
  { $id: 'GrundAfloeb' },
);

export const ProtectionSchema = closed(
  {
    fredet: Type.Boolean(),
    status: numberOrNull,
    status_tekst: nullable(
      oneOf(['fredet', 'bevaringssag', 'vurderet', 'ukendt', 'ingen_registrering']),
    ),
    bevaringsvaerdi: nullable(Type.Integer({ minimum: 1, maximum: 9 })),
    kilde: oneOf(['fbb']),
    hentet: Type.String({ format: 'date-time' }),
  },
  { $id: 'Fredning' },
);

export const FloorsSchema = closed(
  {
    registreringer: Type.Array(
      closed({
        id: textOrNull,
        betegnelse: textOrNull,
        type: codeOrNull,
        areal_m2: numberOrNull,
        udnyttet_tagetage_m2: numberOrNull,
        kaelder_lavloftet_m2: numberOrNull,
        beboelse_i_kaelder_m2: numberOrNull,
      }),
    ),
    kaelder_m2: numberOrNull,
    kaelder_lavloftet_m2: numberOrNull,
    udnyttet_tagetage_m2: numberOrNull,
    beboelse_i_kaelder_m2: numberOrNull,
  },
  { $id: 'Etager' },
);

export const UnitSchema = closed(
  {
    id: textOrNull,
    anvendelse: codeOrNull,
    areal: closed({ samlet_m2: numberOrNull }),
    antal_vaerelser: numberOrNull,
    varme: closed({ installation: codeOrNull, opvarmningsmiddel: codeOrNull }),
    etage: nullable(closed({ betegnelse: textOrNull, type: codeOrNull })),
    adresse: closed({
      id: textOrNull,
      betegnelse: textOrNull,
      vejnavn: Type.Optional(textOrNull),
      husnr: Type.Optional(textOrNull),
      etage: Type.Optional(textOrNull),
      doer: Type.Optional(textOrNull),
      postnr: Type.Optional(textOrNull),
      postnrnavn: Type.Optional(textOrNull),
      kommunekode: Type.Optional(textOrNull),
      koordinat: Type.Optional(nullable(ref<{ lon: number; lat: number }>('Punkt'))),
      _note: Type.Optional(text),
      _error: Type.Optional(text),
    }),
  },
  { $id: 'Enhed' },
);

export const BuildingSchema = closed(
  {
    id: textOrNull,
    type: oneOf(['bygning']),
    ...membersOf(BUILDING_FIELDS),
    afloeb: ref<Static<typeof DrainageSchema>>('Afloeb'),
    geometri: nullable(
      closed({
        type: oneOf(['Point']),
        coordinates: nullable(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
        epsg25832: Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
      }),
    ),
    kommunekode: textOrNull,
    fredning: nullable(ref<Static<typeof ProtectionSchema>>('Fredning')),
    etager: nullable(ref<Static<typeof FloorsSchema>>('Etager')),
    enheder: Type.Array(ref<Static<typeof UnitSchema>>('Enhed')),
  },
  { $id: 'Bygning' },
);

const ASSESSED = {
  aar: Type.Number(),
  ejendomsvaerdi_kr: numberOrNull,
  grundvaerdi_kr: numberOrNull,
};

export const AssessmentSchema = closed(
  {
    antal_vurderingsejendomme: Type.Number(),
    seneste: nullable(closed({ ...ASSESSED, vurderet_areal_m2: numberOrNull })),
    historik: Type.Array(closed(ASSESSED)),
  },
  { $id: 'Vurdering' },
);

export const TankSchema = closed(membersOf(TANK_FIELDS), { $id: 'Tank' });

export const FacilitySchema = closed(
  {
    id: textOrNull,
    klassifikation: codeOrNull,
    anlaegsnummer: numberOrNull,
    bygning_id: textOrNull,
    ...membersOf(FACILITY_FIELDS),
    punkt: nullable(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 })),
    tank: nullable(ref<Static<typeof TankSchema>>('Tank')),
  },
  { $id: 'TekniskAnlaeg' },
);

export const ParcelSchema = closed(
  { matrikelnummer: textOrNull, ejerlav_kode: numberOrNull, ejerlav_navn: textOrNull },
  { $id: 'Jordstykke' },
);

const parcel = ref<Static<typeof ParcelSchema>>('Jordstykke');

export const PropertySchema = closed(
  {
    type: oneOf(['ejendom']),
    bfe_nummer: numberOrNull,
    grund_id: textOrNull,
    kommunekode: textOrNull,
    dagi: AREA_NAMES,
    jordstykke: parcel,
    jordstykker: Type.Array(parcel),
    antal_bygninger: Type.Number(),
    hovedbygning_index: numberOrNull,
    bygninger: Type.Array(ref<Static<typeof BuildingSchema>>('Bygning')),
    ejer: Type.Optional(Type.Record(text, Type.Unknown())),
    vurdering: Type.Optional(nullable(ref<Static<typeof AssessmentSchema>>('Vurdering'))),
    grund_afloeb: Type.Optional(ref<Static<typeof GroundDrainageSchema>>('GrundAfloeb')),
    tekniske_anlaeg: Type.Optional(
      nullable(Type.Array(ref<Static<typeof FacilitySchema>>('TekniskAnlaeg'))),
    ),
    meta: closed({ kilde: text, service_version: text, as_of: Type.Optional(text) }),
  },
  { $id: 'Ejendom', description: 'A property with every current building on it.' },
);

export type PropertyRecord = Static<typeof PropertySchema>;

export const PROPERTY_SCHEMAS = [
  DrainageSchema,
  GroundDrainageSchema,
  ProtectionSchema,
  FloorsSchema,
  UnitSchema,
  BuildingSchema,
  AssessmentSchema,
  TankSchema,
  FacilitySchema,
  ParcelSchema,
  PropertySchema,
] as const;
