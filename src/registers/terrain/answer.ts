/** Writes heights (D120, D141). */
import type { Failure } from '../../kernel/failures.ts';
import type { TerrainModel } from './terrain.ts';
import { HEIGHT_SYSTEM } from './terrain.ts';
import type { Point } from '../../geo/point.ts';
import type { Provenance } from '../../answers/answer.ts';
import type { JsonWriter } from '../../answers/json-writer.ts';

export interface HeightAnswer {
  readonly point: Point;
  /** Metres, unrounded; null: the model has no data there (D119). */
  readonly heightM: number | null;
  /** Of the raster that answered. */
  readonly resolutionM: number;
}

export interface HeightsAnswer {
  readonly value: readonly (HeightAnswer | Failure)[];
  readonly provenance: readonly Provenance[];
}

export function writeHeight(out: JsonWriter, answer: HeightAnswer): void {
  out.ascii(',"epsg25832":').metres(answer.point.utm32).ascii(',"kote_m":');
  writeKote(out, answer);
  out.ascii(`,"oploesning_m":${answer.resolutionM}`);
}

/** The whole body of one answer. */
export function writeOneHeight(
  out: JsonWriter,
  answer: HeightAnswer,
  { model, meta }: { readonly model: TerrainModel; readonly meta: unknown },
): void {
  const { point, resolutionM } = answer;
  const { lon, lat } = point.wgs84;
  out.begin().ascii(`{"punkt":{"lon":${lon},"lat":${lat}},"epsg25832":`).metres(point.utm32);
  out.ascii(`,"model":"${model}","kote_m":`);
  writeKote(out, answer);
  out.text(
    `,"hoejdesystem":"${HEIGHT_SYSTEM}","oploesning_m":${resolutionM}` +
      `,"meta":${JSON.stringify(meta)}}`,
  );
}

/** The members that a batch writes once for all results. */
export function heightsMembers(model: TerrainModel): string {
  return `,"model":"${model}","hoejdesystem":"${HEIGHT_SYSTEM}"`;
}

function writeKote(out: JsonWriter, { heightM }: HeightAnswer): void {
  if (heightM === null) out.ascii('null');
  else out.rounded(heightM, 2);
}
