/** The conditions as questions ask for them: those of the store, and the ten lines of their own lookup. */
import type { AnswerFacts } from '../../answers/provenance.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import type { Point } from '../../geo/point.ts';
import type { LineKey } from '../../layers/keys.ts';
import type { BuildingLines } from '../lines/lookup.ts';
import { atPoint, factsOfAnswers, lineAtPoint, unavailableKeys } from './answer.ts';
import type { metaOf } from './answer.ts';
import type { Described } from './described.ts';
import { answerPlaces, pointPlace } from './lookup.ts';
import type { ConditionsDeps } from './lookup.ts';

export interface PointAnswer {
  readonly point: Point;
  /** As written, by key, in the order of answers. */
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
}

export interface ConditionLookups {
  readonly conditions: Conditions;
}

export interface ConditionParts extends ConditionsDeps {
  readonly described: readonly Described[];
  readonly buildingLines: BuildingLines;
  readonly meta: Conditions['meta'];
}

export function createConditions(parts: ConditionParts): Conditions {
  const { described, meta, searchRadiusM } = parts;
  return {
    ...{ meta, searchRadiusM },
    at: async (points, keys, deadline) => {
      const asked = described.filter(({ key }) => keys === null || keys.includes(key));
      const own = asked.filter(({ layer }) => layer.register === 'forhold');
      const lines = asked.filter(({ layer }) => layer.register !== 'forhold');
      const [read, measured] = await Promise.all([
        answerPlaces(
          parts,
          own,
          points.map(({ utm32 }) => pointPlace(utm32)),
          (error) => deadline.storeFailed?.(error),
        ),
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
        return {
          point,
          layers: Object.fromEntries<object>(answered),
          unavailable: unavailableKeys(answered),
        };
      });
      const facts = factsOfAnswers(read.places.flat(), read.generation);
      const ofLines = (measured?.value ?? []).flatMap((each) => each.lines);
      const provenance = [
        ...facts.provenance,
        ...ofLines.flatMap((line) => (line.status === 'ok' ? [line.provenance] : [])),
      ];
      return { answers, facts: { generation: lowest(read.generation, measured), provenance } };
    },
  };
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

/** Lines and conditions are read apart: the earlier generation has all that is told. */
function lowest(
  generation: number | null,
  measured: { readonly generation: number } | null,
): number | null {
  if (generation === null) return measured?.generation ?? null;
  return Math.min(generation, measured?.generation ?? generation);
}
