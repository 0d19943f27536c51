/** Writes conditions (D210, D211). */
import { SERVICE_VERSION } from '../../kernel/identity.ts';
import { roundTo } from '../../answers/numbers.ts';
import type { FeatureHit, LineAnswer } from '../../answers/answer.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';
import type { ConditionField } from '../../layers/conditions/condition.ts';
import type { ConditionAttributes, LineAttributes } from '../../layers/feature.ts';
import { MOST_OBJECTS } from './lookup.ts';
import type { ConditionAnswer } from './lookup.ts';
import type { Described } from './described.ts';
import type { Found, FoundObject } from './store.ts';

const STATUSES = {
  ok: 'ok',
  'not-mapped': 'ikke_kortlagt',
  unavailable: 'utilgaengelig',
} as const;

export function metaOf(source: string) {
  return { kilde: source, service_version: SERVICE_VERSION };
}

function headOf({ layer, source }: Described) {
  return {
    navn: layer.name,
    hjemmel: layer.register === 'forhold' ? layer.condition.provision : layer.provision,
    geometri: layer.geometry === 'area' ? 'flade' : 'linje',
    kilde: source,
  };
}

export function atPoint(answer: ConditionAnswer) {
  const { kilde, ...head } = headOf(answer.of);
  const status = STATUSES[answer.status];
  if (answer.status === 'unavailable')
    return { ...head, status, ...UNANSWERED, kilde, alder_s: null };
  const { found, of, provenance } = answer;
  return {
    ...{ ...head, status },
    inden_for: answer.status === 'ok' ? found.within > 0 : null,
    afstand_m: metres(found.nearestM),
    antal: found.count,
    ...objectsOf(of, found),
    fravaer: absenceOf(answer),
    ...{ kilde, alder_s: Math.floor(provenance.ageS) },
  };
}

const UNANSWERED = {
  ...{ inden_for: null, afstand_m: null, antal: null },
  ...{ objekter: [], flere: 0, fravaer: null },
};

/** From the lookup of `byggelinjer`. */
export function lineAtPoint(of: Described, line: LineAnswer) {
  const { kilde, ...head } = headOf(of);
  if (line.status !== 'ok') {
    return { ...head, status: STATUSES.unavailable, ...UNANSWERED, kilde, alder_s: null };
  }
  const { within, distanceM, count, hit, provenance } = line;
  return {
    ...{ ...head, status: STATUSES.ok, inden_for: within },
    ...{ afstand_m: distanceM === null ? null : roundTo(distanceM, 1), antal: count },
    objekter: hit === null ? [] : [hitOf(hit)],
    ...{ flere: 0, fravaer: null, kilde, alder_s: Math.floor(provenance.ageS) },
  };
}

function hitOf({
  objectId,
  attributes,
  areaM2,
}: Pick<FeatureHit, 'objectId' | 'attributes' | 'areaM2'>) {
  return {
    objekt_id: objectId,
    ...lineFields(attributes),
    objektets_areal_m2: squareMetres(areaM2),
  };
}

/** Metres of a line, square metres of areas. */
export function inArea(answer: ConditionAnswer, areaM2: number) {
  const { kilde, ...head } = headOf(answer.of);
  const status = STATUSES[answer.status];
  if (answer.status === 'unavailable') {
    return { ...head, status, ...UNMEASURED, kilde, alder_s: null };
  }
  const { found, of, provenance } = answer;
  const isArea = of.layer.geometry === 'area';
  const shared = Math.min(found.sharedM2, areaM2);
  return {
    ...{ ...head, status },
    beroert: answer.status === 'ok' ? found.within > 0 : null,
    areal_m2: isArea ? squareMetres(shared) : null,
    andel: isArea && areaM2 > 0 ? Math.round((shared / areaM2) * 1e6) / 1e6 : null,
    laengde_m: isArea ? null : roundTo(found.sharedM, 1),
    afstand_m: metres(found.nearestM),
    antal: found.count,
    ...objectsOf(of, found, isArea ? 'areal_m2' : 'laengde_m'),
    fravaer: absenceOf(answer),
    ...{ kilde, alder_s: Math.floor(provenance.ageS) },
  };
}

/** A building is tested by its point. */
export function atBuilding(answer: ConditionAnswer) {
  if (answer.status !== 'ok') return { inden_for: null, afstand_m: null };
  return { inden_for: answer.found.within > 0, afstand_m: metres(answer.found.nearestM) };
}

const UNMEASURED = {
  ...{ beroert: null, areal_m2: null, andel: null, laengde_m: null, afstand_m: null },
  ...{ antal: null, objekter: [], flere: 0, fravaer: null },
};

type Shared = 'areal_m2' | 'laengde_m' | null;

function objectsOf(of: Described, { objects, within }: Found, shared: Shared = null) {
  return {
    objekter: objects.map((object, n) => ({
      ...objectOf(of, object),
      ...(n >= within && { kun_naevnt_i_tekst: true }),
      ...(shared === 'areal_m2' && { areal_m2: squareMetres(object.sharedM2) }),
      ...(shared === 'laengde_m' && { laengde_m: roundTo(object.sharedM, 1) }),
    })),
    flere: Math.max(0, within - MOST_OBJECTS),
  };
}

function objectOf({ layer }: Described, { objectId, attributes, areaM2 }: FoundObject) {
  if (layer.register !== 'forhold') {
    return hitOf({ objectId, attributes: attributes as LineAttributes, areaM2 });
  }
  const { values } = attributes as ConditionAttributes;
  const fields = layer.condition.fields.map((field) => [field.name, shownValue(field, values)]);
  return {
    objekt_id: objectId,
    ...(Object.fromEntries(fields) as Record<string, unknown>),
    objektets_areal_m2: squareMetres(areaM2),
  };
}

export function shownValue(
  { name, kind, codes = {} }: ConditionField,
  values: ConditionAttributes['values'],
) {
  const value = values[name] ?? null;
  if (kind !== 'code' || value === null) return value;
  return { kode: String(value), tekst: codes[String(value)] ?? null };
}

function lineFields(attributes: LineAttributes) {
  return {
    status: attributes.statusName,
    ...{ kategori: attributes.category, naturtype: attributes.natureType },
    ...{ gaeldende_fra: attributes.validFrom, dokument: attributes.documentUrl },
  };
}

function absenceOf(answer: Exclude<ConditionAnswer, { status: 'unavailable' }>): string | null {
  const { layer } = answer.of;
  if (layer.register !== 'forhold' || answer.found.within > 0) return null;
  const isNamed = answer.found.objects.length > 0;
  return `${layer.condition.absenceText}${isNamed ? NAMED_TEXT : ''}`;
}

const NAMED_TEXT =
  ' Registret nævner dog jordstykket i tekst; formen ligger ved siden af, og jordstykket kan være omnummereret.';

function metres(value: number | null): number | null {
  return value === null ? null : roundTo(value, 1);
}

function squareMetres(value: number | null): number | null {
  return value === null ? null : roundTo(value, 2);
}

export function unavailableKeys(answers: readonly (readonly [string, { status: string }])[]) {
  return answers.flatMap(([key, { status }]) => (status === STATUSES.unavailable ? [key] : []));
}

export function factsOfAnswers(
  answers: readonly ConditionAnswer[],
  generation: number | null,
): AnswerFacts {
  return {
    generation,
    provenance: answers.flatMap((each) => (each.status === 'unavailable' ? [] : each.provenance)),
  };
}
