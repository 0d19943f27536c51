import type { Point } from '../../geo/point.ts';
import { Failure } from '../../kernel/failures.ts';
import { LINE_KEYS } from '../../layers/keys.ts';
import type { BuildingLinesAnswer, LineAnswer } from '../../answers/answer.ts';
import { LineRenderer, lineLabels } from './answer.ts';
import type { LineLabels } from './answer.ts';
import type { LineLookups } from './pages.ts';
import { LINE_SOURCES } from './sources.ts';
import { sourceNameOf } from '../../answers/sources.ts';
import { roundedText } from '../../answers/numbers.ts';
import { csvText } from '../../core/rows/csv-cells.ts';
import {
  METRE_COLUMNS,
  POINT_COLUMNS,
  metresCsv,
  numbers,
  writePointCsv,
  POINT_ROWS,
} from '../../core/rows/points.ts';
import { GROUND_ROLES, POINT_ROLES } from '../../core/rows/job-types.ts';
import type { ColumnTypes, JobKind, RowKind } from '../../core/rows/kind.ts';
import { rowError } from '../../core/rows/row-errors.ts';
import { outsideCoverage } from '../../core/land/covered-lands.ts';
import type { JobMemory } from '../../core/rows/chunk-types.ts';
import { openLands } from '../../core/tasks/lands.ts';
import { coveredLines } from './covered.ts';
import { placedEngine, snapshotOf } from './engines.ts';
import { TEN_FROM_MEMORY, answererOf } from '../../core/held/line-measures.ts';

const LINE_COLUMNS = ['status', 'inden_for', 'usikker', 'afstand_m', 'antal', 'objekt_id'];

const TYPES: ColumnTypes = {
  ...numbers(...POINT_COLUMNS, ...METRE_COLUMNS, 'soegeradius_m', 'antal_i_kraft'),
  ...numbers(...LINE_KEYS.flatMap((key) => [`${key}_afstand_m`, `${key}_antal`])),
  ...Object.fromEntries(
    LINE_KEYS.flatMap((key) => [
      [`${key}_inden_for`, 'boolean' as const],
      [`${key}_usikker`, 'boolean' as const],
    ]),
  ),
};

export const miljoe: JobKind<Point, BuildingLinesAnswer, LineLookups, LineLabels> = {
  name: 'miljoe',
  terms: {
    roles: [...POINT_ROLES, ...GROUND_ROLES],
    called: { da: 'byggelinjer og forhold', en: 'lines and conditions' },
    words: {
      da: 'Byggelinjer og beskyttet natur; af jordstykker og områder alle forhold',
      en: 'Building lines and protected nature; of parcels and areas all conditions',
    },
  },
  needs: { layers: LINE_KEYS, addresses: 'beside' },
  labels: (parts) => lineLabels(parts.catalogue, sourceNameOf(LINE_SOURCES, parts)),
  rows: miljoeRows,
  memory: { module: import.meta.url, open },
};

function miljoeRows(labels: LineLabels): RowKind<Point, BuildingLinesAnswer, LineLookups> {
  const renderer = new LineRenderer(labels);
  return {
    columns: [
      ...POINT_COLUMNS,
      ...METRE_COLUMNS,
      'soegeradius_m',
      'antal_i_kraft',
      'utilgaengelige',
      ...LINE_KEYS.flatMap((key) => LINE_COLUMNS.map((column) => `${key}_${column}`)),
    ],
    types: TYPES,
    ...POINT_ROWS,
    askAll: async ({ buildingLines }, points, deadline) => {
      const { generation, value } = await buildingLines.at(points, LINE_KEYS, deadline);
      return { generation, value: value.map(answeredAtAll) };
    },
    writeCsv: (out, answer, point) => {
      writePointCsv(out, point);
      out.text(`,${metresCsv(point)},${answer.searchRadiusM}${cellsOf(answer)}`);
    },
    writeJson: (out, answer) => renderer.writeAll(out, answer),
  };
}

/** A row without any answered line costs nothing (D62). */
function answeredAtAll(answer: BuildingLinesAnswer): BuildingLinesAnswer | Failure {
  if (answer.lines.some(({ status }) => status === 'ok')) return answer;
  const covered = answer.lines.map((line) =>
    line.status === 'ok' ? null : (line.covered ?? null),
  );
  // A retry would give the same.
  const [name = null] = covered;
  if (name !== null && !covered.includes(null)) return outsideCoverage(name);
  const [cause] = answer.lines.flatMap((line) => ('cause' in line ? [line.cause] : []));
  return new Failure('upstream_unavailable', { ...rowError('noLine'), cause });
}

const CLEAR = ',ok,false,false,,0,';
const UNAVAILABLE = ',utilgaengelig,,,,,';

function cellsOf({ lines }: BuildingLinesAnswer): string {
  let inForce = 0;
  const unavailable: string[] = [];
  let cells = '';
  for (const line of lines) {
    if (line.status === 'unavailable') unavailable.push(line.line);
    else if (line.within) inForce += 1;
    cells += lineCells(line);
  }
  return `,${inForce},${unavailable.join(' ')}${cells}`;
}

function lineCells(line: LineAnswer): string {
  if (line.status === 'unavailable') return UNAVAILABLE;
  const { within, uncertain, distanceM, count, hit } = line;
  if (!within && count === 0 && distanceM === null) return CLEAR;
  const distance = distanceM === null ? '' : roundedText(distanceM, 1);
  const object = hit === null ? '' : csvText(hit.objectId);
  return `,ok,${within},${uncertain},${distance},${count},${object}`;
}

function open(memory: JobMemory): (question: Point) => BuildingLinesAnswer | Failure {
  const engines = LINE_KEYS.map((key) => placedEngine(snapshotOf(memory, key)));
  const answerAt = answererOf(engines, memory.radiusM);
  const lands = memory.lands && openLands(memory.lands);
  return (point) => {
    const answer = answerAt(point, TEN_FROM_MEMORY);
    return answeredAtAll(lands === null ? answer : coveredLines(answer, lands));
  };
}
