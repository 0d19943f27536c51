/**
 * `forhold`: rows of `miljoe` jobs with a parcel, a property, an area, or layers at a point (D222),
 * answered as single questions are.
 */
import type { Point } from '../../geo/point.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import { roundTo } from '../../answers/numbers.ts';
import type { JsonWriter } from '../../answers/json-writer.ts';
import { csvCell } from '../../core/rows/csv-cells.ts';
import type { ColumnTypes, JobKind, RowKind, SlowAnswers } from '../../core/rows/kind.ts';
import { POINT_ROWS, numbers } from '../../core/rows/points.ts';
import { rowError } from '../../core/rows/row-errors.ts';
import type { Role } from '../../core/rows/job-types.ts';
import type { FindAccess, RowReader } from '../../core/rows/row-reader.ts';
import type { Question } from '../../core/question/question.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import { Failure } from '../../kernel/failures.ts';
import { CADASTRE_LIMITS } from '../cadastre/limits.ts';
import { drawn, parcel, property } from './area-questions.ts';
import type { Value } from './area-questions.ts';
import { describedLayers } from './described.ts';
import { keysOf, shape } from './questions.ts';
import type { ConditionLookups } from './register-lookups.ts';

interface AtPoint {
  readonly point: Point;
  readonly lag: string | undefined;
}

interface Ground {
  readonly question: Question<ConditionLookups>;
  readonly given: object;
  readonly refused: (failure: Failure) => Failure;
}

type Asked = AtPoint | Ground;

interface RowAnswer {
  readonly json: string;
  readonly layers: Readonly<Record<string, object>>;
  readonly cells: readonly CellValue[];
}

type CellValue = string | number | boolean | null;

interface LayerLabel {
  readonly key: string;
  readonly isArea: boolean;
}

export const forhold: JobKind<Asked, RowAnswer, ConditionLookups, readonly LayerLabel[]> = {
  name: 'forhold',
  // The lookups read memory, else the store.
  needs: { layers: [], addresses: 'beside' },
  labels: ({ catalogue }) => labelsOf(catalogue),
  rows: rowsOf,
};

function labelsOf(catalogue: Catalogue): LayerLabel[] {
  return describedLayers(catalogue).map(({ key, layer }) => ({
    key,
    isArea: layer.geometry === 'area',
  }));
}

const HEAD = ['areal_m2', 'egen_grund', 'soegeradius_m', 'antal_beroert', 'utilgaengelige'];
const AREA_CELLS = ['status', 'beroert', 'areal_m2', 'andel', 'afstand_m', 'antal', 'objekt_id'];
const LINE_CELLS = ['status', 'beroert', 'laengde_m', 'afstand_m', 'antal', 'objekt_id'];
const NUMBERS = ['areal_m2', 'andel', 'laengde_m', 'afstand_m', 'antal'];

function rowsOf(labels: readonly LayerLabel[]): RowKind<Asked, RowAnswer, ConditionLookups> {
  const layers = labels.map(({ key, isArea }) => ({
    key,
    cells: isArea ? AREA_CELLS : LINE_CELLS,
  }));
  const named = layers.flatMap(({ key, cells }) => cells.map((cell) => `${key}_${cell}`));
  const types: ColumnTypes = {
    ...numbers('areal_m2', 'soegeradius_m', 'antal_beroert'),
    ...numbers(...labels.flatMap(({ key }) => NUMBERS.map((cell) => `${key}_${cell}`))),
    egen_grund: 'boolean',
    ...Object.fromEntries(labels.map(({ key }) => [`${key}_beroert`, 'boolean' as const])),
  };
  return {
    columns: [...HEAD, ...named],
    types,
    question: askedBy,
    askAll,
    writeCsv: (out, answer) => {
      const own = layers.flatMap(({ key, cells }) => cellsOf(answer.layers[key], cells));
      out.text([...answer.cells, ...own].map(csvCell).join(','));
    },
    writeJson: (out, { json }) => out.text(json),
    writePlace,
  };
}

/** A layer that was not requested has no cell. */
function cellsOf(layer: object | undefined, names: readonly string[]): CellValue[] {
  if (layer === undefined) return names.map(() => null);
  const of = layer as Readonly<Record<string, unknown>> & {
    readonly objekter: readonly ObjectId[];
  };
  const shown: Readonly<Record<string, unknown>> = {
    ...of,
    beroert: of['beroert'] ?? of['inden_for'],
    objekt_id: of.objekter
      .flatMap(({ objekt_id: id, kun_naevnt_i_tekst: isNamed }) => (isNamed === true ? [] : id))
      .join(' | '),
  };
  return names.map((name) => (shown[name] ?? null) as CellValue);
}

interface ObjectId {
  readonly objekt_id: string;
  readonly kun_naevnt_i_tekst?: true;
}

function writePlace(out: JsonWriter, _answer: RowAnswer, asked: Asked): void {
  if (!('point' in asked)) {
    out.ascii('null');
    return;
  }
  POINT_ROWS.writePlace(out, null, asked.point);
}

/** Throws the row's Failure. */
function askedBy(row: RowReader, findAccess: FindAccess): Asked {
  const lag = row.text('lag') ?? undefined;
  checked(row, 'lag', () => keysOf(lag));
  if (row.has('wkt')) {
    const given = { wkt: row.needed('wkt'), srid: row.srid, lag: keysOf(lag) ?? undefined };
    return { question: drawn, given, refused: refusedBy(row, 'wkt') };
  }
  if (row.has('ejerlav')) {
    const matrikelnummer = row.needed('matrikelnummer');
    const ejerlav = row.whole('ejerlav', CADASTRE_LIMITS.districtCode);
    const given = { ejerlav, matrikelnummer, lag };
    return { question: parcel, given, refused: refusedBy(row, 'matrikelnummer') };
  }
  if (row.has('bfe')) {
    row.needed('bfe');
    return { question: property, given: { bfe: row.bfe(), lag }, refused: (failure) => failure };
  }
  return { point: row.point(findAccess), lag };
}

function checked(row: RowReader, role: Role, work: () => unknown): void {
  try {
    work();
  } catch (error) {
    throw error instanceof Failure ? refusedBy(row, role)(error) : error;
  }
}

function refusedBy(row: RowReader, role: Role): (failure: Failure) => Failure {
  const column = row.columnName(role);
  return (failure) => {
    if (failure.type !== 'invalid_request') return failure;
    return new Failure(failure.type, rowError('refused', { column, role, why: failure.message }));
  };
}

/** Each is a statement that reads forty layers. */
const AREAS_AT_A_TIME = 4;

interface One {
  readonly generation: number | null;
  readonly answer: RowAnswer | Failure;
}

async function askAll(
  lookups: ConditionLookups,
  rows: readonly Asked[],
  deadline: Deadline,
): Promise<SlowAnswers<RowAnswer>> {
  const answers = new Map<Asked, One>();
  const areas = rows.filter((asked) => 'question' in asked);
  const points = Map.groupBy(
    rows.filter((asked) => 'point' in asked),
    ({ lag = '' }) => lag,
  );
  for (const some of points.values()) {
    for (const [asked, one] of await atPoints(lookups, some, deadline)) answers.set(asked, one);
  }
  for (let from = 0; from < areas.length; from += AREAS_AT_A_TIME) {
    const some = areas.slice(from, from + AREAS_AT_A_TIME);
    const found = await Promise.all(some.map((asked) => inArea(lookups, asked, deadline)));
    for (const [n, asked] of some.entries()) answers.set(asked, found[n] ?? UNANSWERED);
  }
  const found = rows.map((asked) => answers.get(asked) ?? UNANSWERED);
  const generations = found.flatMap(({ generation }) => generation ?? []);
  return {
    generation: generations.length === 0 ? null : Math.min(...generations),
    value: found.map(({ answer }) => answer),
  };
}

async function atPoints(
  { conditions }: ConditionLookups,
  some: readonly AtPoint[],
  deadline: Deadline,
): Promise<readonly (readonly [AtPoint, One])[]> {
  const keys = keysOf(some[0]?.lag);
  const { answers, facts } = await conditions.at(
    some.map(({ point }) => point),
    keys,
    deadline,
  );
  return some.map((asked, n) => {
    const answer = answers[n];
    if (answer === undefined) return [asked, UNANSWERED] as const;
    const shown = {
      json: JSON.stringify(shape(answer, conditions)),
      egenGrund: null,
      areaM2: null,
    };
    const { searchRadiusM } = conditions;
    const { generation } = facts;
    return [
      asked,
      { generation, answer: answerOf({ ...answer, ...shown, searchRadiusM }) },
    ] as const;
  });
}

async function inArea(
  lookups: ConditionLookups,
  { question, given, refused }: Ground,
  deadline: Deadline,
): Promise<One> {
  try {
    const { value, facts } = await question.ask(lookups, given, deadline);
    const { shown, answer } = value as Value;
    const { egen_grund: egenGrund = null } = (shown ?? {}) as { readonly egen_grund?: boolean };
    const json = question.json(value, lookups, given) as string;
    const { searchRadiusM } = lookups.conditions;
    const written = answerOf({ ...answer, json, egenGrund, searchRadiusM });
    return { generation: facts.generation, answer: written };
  } catch (error) {
    if (error instanceof Failure) return { generation: null, answer: refused(error) };
    throw error;
  }
}

/** A row without any answered layer costs nothing (D62). */
function answerOf(of: {
  readonly json: string;
  readonly layers: RowAnswer['layers'];
  readonly unavailable: readonly string[];
  readonly areaM2: number | null;
  readonly egenGrund: boolean | null;
  readonly searchRadiusM: number;
}): RowAnswer | Failure {
  const { json, layers, unavailable } = of;
  const all = Object.values(layers);
  if (all.length === unavailable.length) return UNANSWERED.answer;
  const areaM2 = of.areaM2 === null ? null : roundTo(of.areaM2, 2);
  const touched = all.filter((layer) => isTouched(layer)).length;
  const cells = [areaM2, of.egenGrund, of.searchRadiusM, touched, unavailable.join(' ')];
  return { json, layers, cells };
}

function isTouched(layer: object): boolean {
  const { beroert, inden_for: within } = layer as { beroert?: boolean; inden_for?: boolean };
  return beroert === true || within === true;
}

const UNANSWERED: One & { readonly answer: Failure } = {
  generation: null,
  answer: new Failure('upstream_unavailable', rowError('noCondition')),
};
