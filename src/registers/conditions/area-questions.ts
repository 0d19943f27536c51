/**
 * Conditions of a parcel, a property and a drawn area: how much of it, and how far away (D211,
 * D212).
 */
import { Type } from 'typebox';
import { roundTo } from '../../answers/numbers.ts';
import { question } from '../../core/question/question.ts';
import type { Answered } from '../../core/question/question.ts';
import { BfeParameter, MetaRef, closed, nullable, oneOf } from '../../core/question/schemas.ts';
import { CONDITION_UNITS } from '../../core/rows/job-types.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import { DistrictCode, ParcelNumber, numberOf } from '../cadastre/questions.ts';
import { AREA_LIMITS, drawnPlace } from '../../core/land/drawn-area.ts';
import { groundOfParcel, groundOfProperty } from './ground.ts';
import type { Ground } from './ground.ts';
import {
  CONDITION_KEYS,
  HEAD,
  LAYER_PARAMETER,
  TAIL,
  UNAVAILABLE,
  keyed,
  keysOf,
} from './questions.ts';
import type { AreaAnswer, ConditionLookups, Conditions } from './register-lookups.ts';

const metres = nullable(Type.Number());

export const AreaConditionSchema = closed(
  {
    ...HEAD,
    beroert: nullable(
      Type.Boolean({ description: 'Whether they share ground; a common border alone is none.' }),
    ),
    areal_m2: metres,
    andel: nullable(Type.Number({ description: 'Of the whole, 0 to 1.' })),
    laengde_m: nullable(Type.Number({ description: 'Of a line, within.' })),
    afstand_m: nullable(
      Type.Number({ description: 'From the edge to the nearest object within the radius.' }),
    ),
    ...TAIL,
    bygninger: nullable(
      Type.Array(
        closed({ id: Type.String(), inden_for: nullable(Type.Boolean()), afstand_m: metres }),
        { description: 'The buildings of a property by their points; null: not known.' },
      ),
    ),
  },
  { $id: 'ForholdPaaAreal', description: 'One condition of one area.' },
);

const PARCEL_NAME = {
  ejerlav_kode: metres,
  matrikelnummer: nullable(Type.String()),
};

const MEASURED = {
  areal_m2: nullable(Type.Number({ description: 'Of what was asked about, in EPSG:25832.' })),
  soegeradius_m: Type.Number(),
  forhold: keyed('ForholdPaaAreal', 'All conditions and the building lines, or those asked for.'),
  utilgaengelige: UNAVAILABLE,
  meta: MetaRef,
};

export const AREA_SCHEMAS = [AreaConditionSchema] as const;

export const parcel = question({
  key: 'forholdJordstykke',
  called: { da: 'Forhold på et jordstykke', en: 'Conditions of a parcel' },
  summary: 'What applies to a parcel, and to how much of it',
  tag: 'forhold',
  params: { ejerlav: DistrictCode, matrikelnummer: ParcelNumber },
  query: { lag: LAYER_PARAMETER },
  answer: closed({
    jordstykke: closed({ ...PARCEL_NAME, bfe_nummer: metres, registreret_areal_m2: metres }),
    ...MEASURED,
  }),
  failures: [400, 404, 502],
  path: '/v1/forhold/jordstykke/:ejerlav/:matrikelnummer',
  area: 'miljoe',
  mostUnits: () => GROUND_UNITS,
  ask: async ({ conditions }: ConditionLookups, { ejerlav, matrikelnummer, lag }, asker) => {
    const keys = keysOf(lag);
    const ground = await groundOfParcel(conditions.ground, ejerlav, numberOf(matrikelnummer));
    return await answered(conditions, { ground, keys, asker });
  },
  json: (value, { conditions }) => written('jordstykke', value, conditions),
});

export const property = question({
  key: 'forholdEjendom',
  called: { da: 'Forhold på en ejendom', en: 'Conditions of a property' },
  summary: 'What applies to a property, its parcels taken together, and to its buildings',
  tag: 'forhold',
  params: { bfe: BfeParameter },
  query: { lag: LAYER_PARAMETER },
  answer: closed({
    ejendom: closed({
      bfe_nummer: Type.Number(),
      egen_grund: Type.Boolean({
        description:
          'false: a flat, or a building on foreign ground; the answer is of the ground under it.',
      }),
      jordstykker: Type.Array(closed(PARCEL_NAME)),
    }),
    ...MEASURED,
  }),
  failures: [400, 404, 502],
  path: '/v1/forhold/ejendom/:bfe',
  area: 'miljoe',
  mostUnits: () => GROUND_UNITS,
  ask: async ({ conditions }: ConditionLookups, { bfe, lag }, asker) => {
    const keys = keysOf(lag);
    const ground = await groundOfProperty(conditions.ground, bfe);
    return await answered(conditions, { ground, keys, asker });
  },
  json: (value, { conditions }) => written('ejendom', value, conditions),
});

/** 10,000 positions, each number on its own line. */
const AREA_BODY_BYTES = 2 * 1024 * 1024;

export const drawn = question({
  key: 'forholdOmraade',
  called: { da: 'Forhold i et tegnet område', en: 'Conditions in a drawn area' },
  summary: 'What applies to a drawn area, and to how much of it',
  tag: 'forhold',
  body: closed({
    geometri: Type.Optional(
      Type.Object(
        {
          type: oneOf(['Polygon', 'MultiPolygon']),
          coordinates: Type.Array(Type.Any(), { maxItems: AREA_LIMITS.vertices }),
        },
        {
          additionalProperties: false,
          description: `GeoJSON of at most ${AREA_LIMITS.vertices} positions and ${AREA_LIMITS.areaM2 / 1e6} km².`,
        },
      ),
    ),
    wkt: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: AREA_LIMITS.wktChars,
        description: 'The same as WKT, instead; it may begin with SRID=25832;.',
      }),
    ),
    srid: Type.Optional(
      Type.Unsafe<4326 | 25832>({
        type: 'integer',
        enum: [4326, 25832],
        description: 'Of the coordinates: 4326, longitude first, where absent.',
      }),
    ),
    lag: Type.Optional(Type.Array(oneOf(CONDITION_KEYS), { minItems: 1, maxItems: 100 })),
  }),
  answer: closed(MEASURED),
  failures: [],
  path: '/v1/forhold/omraade',
  area: 'miljoe',
  bodyLimit: AREA_BODY_BYTES,
  mostUnits: () => AREA_UNITS,
  ask: async ({ conditions }: ConditionLookups, { lag, ...area }, asker) => {
    const place = drawnPlace(area);
    const { answer, facts } = await conditions.in(place, null, keysOf(lag), asker);
    return { value: { shown: null, answer }, facts, units: unitsOf(answer, AREA_UNITS) };
  },
  json: (value, { conditions }) => written(null, value, conditions),
});

export const AREA_QUESTIONS = [parcel, property, drawn];

const { ground: GROUND_UNITS, area: AREA_UNITS } = CONDITION_UNITS;

export interface Value {
  readonly shown: object | null;
  readonly answer: AreaAnswer;
}

async function answered(
  conditions: Conditions,
  of: {
    readonly ground: Ground;
    readonly keys: readonly string[] | null;
    readonly asker: Deadline;
  },
): Promise<Answered<Value>> {
  const { ground, keys, asker } = of;
  const { place, buildings, shown } = ground;
  const { answer, facts } = await conditions.in(place, buildings, keys, asker);
  return {
    value: { shown, answer },
    facts: {
      generation: Math.min(facts.generation ?? Infinity, ground.generation),
      provenance: [...facts.provenance, ...ground.provenance],
    },
    units: unitsOf(answer, GROUND_UNITS),
  };
}

function unitsOf({ layers, unavailable }: AreaAnswer, units: number): number {
  return Object.keys(layers).length > unavailable.length ? units : 0;
}

function written(name: string | null, { shown, answer }: Value, conditions: Conditions): string {
  return JSON.stringify({
    ...(name !== null && { [name]: shown }),
    areal_m2: answer.areaM2 === null ? null : roundTo(answer.areaM2, 2),
    soegeradius_m: conditions.searchRadiusM,
    forhold: answer.layers,
    utilgaengelige: answer.unavailable,
    meta: conditions.meta,
  });
}
