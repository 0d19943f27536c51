import type { Point } from '../../geo/point.ts';
import { THEMES } from '../../layers/keys.ts';
import type { Theme } from '../../layers/keys.ts';
import type { ReverseAreasAnswer } from '../../answers/answer.ts';
import { registerMeta, withTail } from '../../answers/register-meta.ts';
import type { RegisterMeta } from '../../answers/register-meta.ts';
import { sourceNameOf } from '../../answers/sources.ts';
import { writeAreasAt } from './answer.ts';
import type { AreaLookups } from './lookup.ts';
import { constant } from '../../answers/json-writer.ts';
import { csvText } from '../../core/rows/csv-cells.ts';
import {
  METRE_COLUMNS,
  POINT_COLUMNS,
  metresCsv,
  numbers,
  writePointCsv,
  writePointHead,
  writePointPlace,
} from '../../core/rows/points.ts';
import type { JobKind, RowKind } from '../../core/rows/kind.ts';

type Areas = ReverseAreasAnswer['areas'];

/** Between several areas of one theme at a point (D44). */
const SEVERAL = ' | ';

export const dagi: JobKind<Point, ReverseAreasAnswer, AreaLookups, RegisterMeta> = {
  name: 'dagi',
  area: 'dagi',
  needs: { layers: THEMES, addresses: 'beside' },
  labels: (parts) => registerMeta(sourceNameOf('DAGI', parts), null),
  rows: dagiRows,
  memory: new URL('./job-memory.ts', import.meta.url),
};

function dagiRows(meta: RegisterMeta): RowKind<Point, ReverseAreasAnswer, AreaLookups> {
  const tail = constant(withTail(meta).tail);
  return {
    columns: [
      ...POINT_COLUMNS,
      ...METRE_COLUMNS,
      'antal',
      ...THEMES.flatMap((theme) => [`${theme}_kode`, `${theme}_navn`]),
    ],
    types: numbers(...POINT_COLUMNS, ...METRE_COLUMNS, 'antal'),
    hasPlace: true,
    question: (row, findAccess) => row.point(findAccess),
    askAll: ({ reverseAreas }, points, deadline) => reverseAreas.at(points, deadline),
    writeCsv: (out, { areas }, point) => {
      writePointCsv(out, point);
      out.text(`,${metresCsv(point)},${areas.length}${cellsOf(areas)}`);
    },
    writeJson: (out, answer, point) => {
      writePointHead(out, point);
      writeAreasAt(out, answer);
      out.bytes(tail);
    },
    writePlace: (out, _answer, point) => writePointPlace(out, point),
  };
}

/** Memory returns the same object for the same area. */
const known = new WeakMap<Areas[number], string>();

function cellsOf(areas: Areas): string {
  const inOrder = areas.length === THEMES.length && areas.every(isInItsPlace);
  if (!inOrder) return THEMES.map((theme) => sharedCells(areas, theme)).join('');
  let text = '';
  for (const area of areas) {
    let cells = known.get(area);
    if (cells === undefined) {
      cells = `,${csvText(area.code)},${csvText(area.name)}`;
      known.set(area, cells);
    }
    text += cells;
  }
  return text;
}

function isInItsPlace({ theme }: Areas[number], place: number): boolean {
  return THEMES[place] === theme;
}

function sharedCells(areas: Areas, theme: Theme): string {
  const its = areas.filter((area) => area.theme === theme);
  const codes = its.map(({ code }) => code).join(SEVERAL);
  const names = its.map(({ name }) => name).join(SEVERAL);
  return `,${csvText(codes)},${csvText(names)}`;
}
