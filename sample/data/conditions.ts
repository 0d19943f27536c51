/**
 * Conditions on the island, drawn from what is declared of each: six in force, one that has ended, one that
 * begins later, one of another status, and the cases of a plan, its proposal and a zone. All of it is invented.
 */
import type {
  Condition,
  ConditionField,
  ConditionId,
} from '../../src/layers/conditions/condition.ts';
import { conditionOf } from '../../src/layers/conditions/index.ts';
import { themeFeatures } from './areas.ts';
import type { SampleFeature, SampleProperties, SampleValue } from './feature.ts';
import type { Place } from './geometry.ts';
import { boxRing, linesOf, multiPolygon } from './geometry.ts';
import { CENTRE } from './island.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { conditionSchema } from './schemas.ts';
import { scatterArea } from './scatter.ts';

const SCATTERED = 6;
/** The skerry's: nothing tells its zone. */
const UNZONED = 96;
/** Where a plan in force, one that has ended, one to come and a proposal lie on each other. */
export const PLANNED: Place = { x: CENTRE.x + 400, y: CENTRE.y - 300 };

/** Half the sides of the squares there, metres. */
export const HALF = { inForce: 120, ended: 150, later: 200, other: 250 } as const;

const DAYS = { past: '20110506', over: '20200131', later: '20950101', recent: '20260301' } as const;

export function conditionFeatures(id: ConditionId): SampleFeature[] {
  const condition = conditionOf(id);
  if (condition.absence === 'rural-zone') return zones(id, condition);
  const scattered = Array.from({ length: SCATTERED }, (_, n) => drawn(id, condition, { n }));
  return [...scattered, ...exhibits(id, condition)];
}

interface Drawing {
  readonly n: number;
  readonly values?: SampleProperties;
  /** Its square: the middle and half a side, metres; absent: somewhere on the island. */
  readonly square?: readonly [Place, number];
}

/** At one place: in force, ended, to come, and of another status. */
function exhibits(id: ConditionId, condition: Condition): SampleFeature[] {
  const { begins, ends, decides } = condition.inForce;
  const other = decides[0]?.others[0]?.toUpperCase() ?? null;
  const plans = [
    { n: 10, half: HALF.inForce },
    { n: 11, half: HALF.ended, column: ends[0]?.[0], value: DAYS.over },
    { n: 12, half: HALF.later, column: begins[0]?.[0], value: DAYS.later },
    { n: 13, half: HALF.other, column: decides[0] && (decides[0].columns[0] ?? ''), value: other },
  ];
  return plans.flatMap(({ n, half, column, value = null }) => {
    if (n > 10 && column === undefined) return [];
    const values = column === undefined ? {} : { [column]: value };
    return [drawn(id, condition, { n, square: [PLANNED, half], values })];
  });
}

/** A town in every municipality but one. */
function zones(id: ConditionId, condition: Condition): SampleFeature[] {
  const municipalities = themeFeatures('kommune').filter(
    ({ properties }) => Number(properties['kommunekode']) !== UNZONED,
  );
  return municipalities.map(({ geometry, properties }, n) => {
    const code = Number(properties['kommunekode']);
    return drawn(id, condition, {
      n,
      square: [middleOf(geometry === null ? [] : (linesOf(geometry)[0] ?? [])), 150],
      values: { zone: n === 1 ? '3' : '1', komnr: String(code), kommunenavn: null },
    });
  });
}

function middleOf(ring: readonly (readonly number[])[]): Place {
  const sum = (axis: number) => ring.reduce((total, corner) => total + (corner[axis] ?? 0), 0);
  return { x: Math.round(sum(0) / ring.length), y: Math.round(sum(1) / ring.length) };
}

function drawn(id: ConditionId, condition: Condition, drawing: Drawing): SampleFeature {
  const { n, values, square } = drawing;
  const random = createRandom(`${id}/${n}`);
  const { source } = condition;
  const key = source.keyProperty === 'Objekt_id' ? random.uuid() : String(9_000_000 + 100 * n);
  const properties = {
    ...Object.fromEntries(Object.keys(conditionSchema(id)).map((name) => [name, null])),
    ...inForce(condition, n, random),
    [condition.objectId[0] ?? '']: String(8_000_000 + 100 * n),
    [source.keyProperty]: key,
    ...values,
  };
  return {
    id: `${source.typeName.split(':').pop() ?? id}.${key}`,
    properties,
    geometry: multiPolygon(square === undefined ? scatterArea(random) : [squareRing(...square)]),
  };
}

function inForce(condition: Condition, n: number, random: Random): SampleProperties {
  const { fields, inForce: rule } = condition;
  const { decides, begins, ends, lapses } = rule;
  const first = (columns: readonly string[]): string => columns[0] ?? '';
  const day = lapses === undefined ? DAYS.past : DAYS.recent;
  return Object.fromEntries([
    ...fields.map((field) => [first(field.from), valueOf(field, n, random)] as const),
    ...decides.map((each) => [first(each.columns), first(each.accepted).toUpperCase()] as const),
    ...begins.map((columns) => [first(columns), day] as const),
    ...ends.map((columns) => [first(columns), null] as const),
  ]);
}

function squareRing(middle: Place, half: number) {
  return boxRing(middle, { minX: -half, minY: -half, maxX: half, maxY: half });
}

function valueOf({ kind, codes, name }: ConditionField, n: number, random: Random): SampleValue {
  switch (kind) {
    case 'code': {
      const known = Object.keys(codes ?? {});
      return known[n % known.length] ?? null;
    }
    case 'number':
      return String(random.integer(1, 60));
    case 'yes':
      return String(random.chance(0.5));
    case 'day':
      return DAYS.recent;
    case 'link':
      return `https://dokumenter.example.org/opdigtet/${name}-${n}.pdf`;
    case 'text':
      return `Opdigtet ${name} ${n}`;
  }
}
