import type { AnswerFacts } from '../../answers/provenance.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import type { Point } from '../../geo/point.ts';
import type { LineKey } from '../../layers/keys.ts';
import type { BuildingLines } from '../lines/lookup.ts';
import {
  atBuilding,
  atPoint,
  factsOfAnswers,
  inArea,
  lineAtPoint,
  unavailableKeys,
} from './answer.ts';
import type { metaOf } from './answer.ts';
import type { Described } from './described.ts';
import { rowError } from '../../core/rows/row-errors.ts';
import { Failure } from '../../kernel/failures.ts';
import type { Building, GroundLookups } from './ground.ts';
import { answerPlaces, pointPlace } from './lookup.ts';
import type { ConditionsDeps, PlacesAnswer } from './lookup.ts';
import type { Place } from '../../core/land/drawn-area.ts';

export interface PointAnswer {
  readonly point: Point;
  readonly layers: Readonly<Record<string, object>>;
  readonly unavailable: readonly string[];
}

export interface Conditions {
  readonly meta: ReturnType<typeof metaOf>;
  readonly searchRadiusM: number;
  /** `keys` null: all. In the order of the points. */
  at(
    points: readonly Point[],
    keys: readonly string[] | null,
    deadline: Deadline,
  ): Promise<{ readonly answers: readonly PointAnswer[]; readonly facts: AnswerFacts }>;
  /** Throws invalid_request for an invalid or too large area. */
  in(
    area: Place,
    buildings: readonly Building[] | null,
    keys: readonly string[] | null,
    deadline: Deadline,
  ): Promise<{ readonly answer: AreaAnswer; readonly facts: AnswerFacts }>;
  readonly ground: GroundLookups;
}

export interface AreaAnswer {
  readonly areaM2: number | null;
  readonly layers: Readonly<Record<string, object>>;
  readonly unavailable: readonly string[];
}

export interface ConditionLookups {
  readonly conditions: Conditions;
}

export interface ConditionParts extends ConditionsDeps, Pick<Conditions, 'ground'> {
  readonly described: readonly Described[];
  readonly buildingLines: BuildingLines;
  readonly meta: Conditions['meta'];
}

export function createConditions(parts: ConditionParts): Conditions {
  const { meta, searchRadiusM, ground } = parts;
  return {
    ...{ meta, searchRadiusM, ground },
    in: (area, buildings, keys, deadline) => inside(parts, { area, buildings, keys, deadline }),
    at: (points, keys, deadline) => atPoints(parts, { points, keys, deadline }),
  };
}

interface Asked {
  readonly keys: readonly string[] | null;
  readonly deadline: Deadline;
}

async function inside(
  parts: ConditionParts,
  of: Asked & { readonly area: Place; readonly buildings: readonly Building[] | null },
): Promise<{ readonly answer: AreaAnswer; readonly facts: AnswerFacts }> {
  const { area, buildings, keys, deadline } = of;
  const asked = parts.described.filter(({ key }) => keys === null || keys.includes(key));
  const places = [area, ...(buildings ?? []).map(({ place }) => place)];
  const failed = (error: unknown) => deadline.storeFailed?.(error);
  const read = await answerPlaces(parts, asked, places, failed);
  const areaM2 = usableArea(read);
  const [measured = [], ...atBuildings] = read.places;
  const answered = measured.map((each, m) => {
    const here = buildings?.map(({ id }, n) => {
      const answer = atBuildings[n]?.[m];
      return { id, ...(answer === undefined ? {} : atBuilding(answer)) };
    });
    return [each.of.key, { ...inArea(each, areaM2 ?? 0), bygninger: here ?? null }] as const;
  });
  return {
    answer: {
      areaM2,
      layers: Object.fromEntries<object>(answered),
      unavailable: unavailableKeys(answered),
    },
    facts: factsOfAnswers(measured, read.generation),
  };
}

async function atPoints(
  parts: ConditionParts,
  { points, keys, deadline }: Asked & { readonly points: readonly Point[] },
): Promise<{ readonly answers: readonly PointAnswer[]; readonly facts: AnswerFacts }> {
  const asked = parts.described.filter(({ key }) => keys === null || keys.includes(key));
  const own = asked.filter(({ layer }) => layer.register === 'forhold');
  const lines = asked.filter(({ layer }) => layer.register !== 'forhold');
  const places = points.map(({ utm32 }) => pointPlace(utm32));
  const [read, measured] = await Promise.all([
    own.length === 0
      ? NOTHING_ASKED
      : answerPlaces(parts, own, places, (error) => deadline.storeFailed?.(error)),
    measureLines(parts.buildingLines, { points, lines, deadline }),
  ]);
  const answers = points.map((point, n): PointAnswer => {
    const answered: readonly (readonly [string, { readonly status: string }])[] = [
      ...(read.places[n] ?? []).map((each) => [each.of.key, atPoint(each)] as const),
      ...(measured?.value[n]?.lines ?? []).flatMap((line, m) => {
        const of = lines[m];
        return of === undefined ? [] : [[of.key, lineAtPoint(of, line)] as const];
      }),
    ];
    const layers = Object.fromEntries<object>(answered);
    return { point, layers, unavailable: unavailableKeys(answered) };
  });
  const facts = factsOfAnswers(read.places.flat(), read.generation);
  const ofLines = (measured?.value ?? []).flatMap((each) => each.lines);
  const provenance = [
    ...facts.provenance,
    ...ofLines.flatMap((line) => (line.status === 'ok' ? [line.provenance] : [])),
  ];
  return { answers, facts: { generation: lowest(read.generation, measured), provenance } };
}

const NOTHING_ASKED: PlacesAnswer = { generation: null, places: [], faults: [], areasM2: [] };

/** null: the store did not answer. Throws for a self-crossing border. */
function usableArea({ faults, areasM2 }: PlacesAnswer): number | null {
  const [fault = null] = faults;
  if (fault === null) return areasM2[0] ?? null;
  throw new Failure(
    'invalid_request',
    rowError('areaInvalid', { reason: `${fault} (EPSG:25832)` }),
  );
}

async function measureLines(
  buildingLines: BuildingLines,
  asked: {
    readonly points: readonly Point[];
    readonly lines: readonly Described[];
    readonly deadline: Deadline;
  },
) {
  const { points, lines, deadline } = asked;
  if (lines.length === 0) return null;
  return await buildingLines.at(
    points,
    lines.map(({ layer }) => layer.id as LineKey),
    deadline,
  );
}

/**
 * Lines and conditions are read separately: nothing in the answer is of an earlier generation
 * (D210).
 */
function lowest(
  generation: number | null,
  measured: { readonly generation: number } | null,
): number | null {
  if (generation === null) return measured?.generation ?? null;
  return Math.min(generation, measured?.generation ?? generation);
}
