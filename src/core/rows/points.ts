import type { Point } from '../../geo/point.ts';
import type { JsonWriter } from '../../answers/json-writer.ts';
import { roundedText } from '../../answers/numbers.ts';
import type { ColumnTypes } from './kind.ts';
import type { FindAccess, RowReader } from './row-reader.ts';

export const POINT_COLUMNS = ['punkt_lon', 'punkt_lat'] as const;

export function writePointCsv(out: JsonWriter, { wgs84 }: Point): void {
  out.decimal(wgs84.lon).ascii(',').decimal(wgs84.lat);
}

export function writePointHead(out: JsonWriter, { wgs84 }: Point): void {
  out.ascii('{"punkt":{"lon":').decimal(wgs84.lon).ascii(',"lat":').decimal(wgs84.lat).ascii('}');
}

export const POINT_ROWS = {
  question: (row: RowReader, findAccess: FindAccess): Point => row.point(findAccess),
  writePlace: (out: JsonWriter, _answer: unknown, { wgs84: { lon, lat } }: Point): void => {
    out.ascii('{"type":"Point","coordinates":[').decimal(lon).ascii(',').decimal(lat).ascii(']}');
  },
};

export const METRE_COLUMNS = ['epsg25832_x', 'epsg25832_y'] as const;

export function numbers(...columns: readonly string[]): ColumnTypes {
  return Object.fromEntries(columns.map((column) => [column, 'number' as const]));
}

export function metresCsv({ utm32: { xUtm32, yUtm32 } }: Point): string {
  return `${roundedText(xUtm32, 2)},${roundedText(yUtm32, 2)}`;
}
