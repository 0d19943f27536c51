import type { Point } from '../../geo/point.ts';
import { THEMES } from '../../layers/keys.ts';
import type { Theme, LayerId } from '../../layers/keys.ts';
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
  POINT_ROWS,
} from '../../core/rows/points.ts';
import { POINT_ROLES } from '../../core/rows/job-types.ts';
import type { JobKind, RowKind } from '../../core/rows/kind.ts';
import type { JobMemory } from '../../core/rows/chunk-types.ts';
import type { Failure } from '../../kernel/failures.ts';
import { EngineCache, SnapshotSet } from '../../core/held/snapshot-set.ts';
import type { AreaReader, SetLayer } from '../../core/held/snapshot-set.ts';
import { openLayerSnapshot } from '../../snapshot/layer.ts';
import { Last } from '../../kernel/last.ts';
import { keyOf } from '../../snapshot/format.ts';
import { openLands } from '../../core/tasks/lands.ts';
import { placeUnanswered, uncovered } from './reverse.ts';

type Areas = ReverseAreasAnswer['areas'];

/** Between several areas of one theme at a point (D44). */
const SEVERAL = ' | ';

export const dagi: JobKind<Point, ReverseAreasAnswer, AreaLookups, RegisterMeta> = {
  name: 'dagi',
  terms: {
    roles: POINT_ROLES,
    called: { da: 'områder', en: 'areas' },
    words: { da: 'Kommune, sogn og andre områder', en: 'Municipality, parish and other areas' },
  },
  needs: { layers: THEMES, addresses: 'beside' },
  labels: (parts) => registerMeta(sourceNameOf('DAGI', parts), null),
  rows: dagiRows,
  memory: { module: import.meta.url, open },
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
    ...POINT_ROWS,
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

const COPY = { version: 0, syncedAtMs: 0, held: false };

const readers = new Last<AreaReader>();

function open(memory: JobMemory): (question: Point) => ReverseAreasAnswer | Failure {
  const reader = areaReader(memory);
  const lands = memory.lands && openLands(memory.lands);
  return (point) => {
    const outside = lands && uncovered(lands, point);
    if (outside !== null) return outside;
    const missing = reader.unansweredAt(point.utm32);
    if (missing !== null) return placeUnanswered(missing);
    return { point, areas: reader.at(point.utm32), provenance: [] };
  };
}

function areaReader({ snapshots }: JobMemory): AreaReader {
  const key = snapshots.map(({ layer, buffer }) => `${layer} ${keyOf(buffer)}`).join();
  return readers.of([key], () => {
    const layers = new Map<LayerId, SetLayer>();
    for (const { layer, buffer, unanswered = null } of snapshots) {
      const snapshot = openLayerSnapshot(buffer, { verified: true });
      layers.set(layer, { copy: { ...COPY, unanswered }, snapshot });
    }
    const reader = new SnapshotSet(0, layers, new EngineCache()).areaReader();
    if (reader === null) throw new Error('A theme is missing among the snapshots of a task.');
    return reader;
  });
}
