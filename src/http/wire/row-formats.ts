/** Formats of rows, laid out as DAWA did. */
import { setImmediate } from 'node:timers/promises';
import { csvLine } from './csv.ts';

type Values = Readonly<Record<string, unknown>>;

/** `flad` is for CSV and GeoJSON. */
export interface Shape<R> {
  readonly nestet: (row: R) => Values;
  readonly flad?: (row: R) => Values;
  /** Absent: the flat form without its box, with `label`. */
  readonly mini?: (row: R) => Values;
  readonly label?: (row: R) => string;
  /** GeoJSON. */
  readonly geometry?: (row: R) => string;
}

export interface Rows<R> {
  readonly kind: 'one' | 'list' | 'array';
  readonly rows: readonly R[] | LongRows<R>;
  readonly shape: Shape<R>;
}

export interface LongRows<R> {
  readonly count: number;
  batches(): AsyncIterable<readonly R[]>;
}

const BATCH = 200;
/** Longer answers are streamed. */
const WHOLE = 2_000;

/** `prepare`: completes each batch before it is written. */
export function longRows<A, R>(
  count: number,
  rows: Iterable<A>,
  prepare: (batch: readonly A[]) => readonly R[] | Promise<readonly R[]>,
  size = BATCH,
): LongRows<R> {
  return {
    count,
    async *batches() {
      let batch: A[] = [];
      for (const row of rows) {
        if (batch.push(row) < size) continue;
        yield await prepare(batch);
        batch = [];
        await setImmediate();
      }
      if (batch.length > 0) yield await prepare(batch);
    },
  };
}

export interface Format {
  readonly format: 'json' | 'geojson' | 'csv' | 'ndjson';
  readonly structure: 'nestet' | 'flad' | 'mini' | null;
  readonly callback: string | null;
  readonly isCompact: boolean;
  /** Sent as a download. */
  readonly isFile: boolean;
  /** One feature a line. */
  readonly isLines: boolean;
  readonly srid: 4326 | 25832;
}

/** By the first segment of the path. */
export function fileNamed(path: string, { format }: Pick<Format, 'format'>): string {
  const [name = 'rows'] = /\w+/.exec(path) ?? [];
  return `attachment; filename="${name}.${format}"`;
}

/** DAWA's spelling. */
export const JSON_TYPE = 'application/json; charset=UTF-8';

export interface Body {
  readonly type: string;
  /** A stream's first batch is already made. */
  readonly text: string | AsyncIterable<string>;
}

/** Rejects when the first rows cannot be made. */
export async function bodyOf<R>(format: Format, answer: Rows<R>): Promise<Body> {
  const { rows: given, kind, shape } = answer;
  const isLong = !('batches' in given) && given.length > WHOLE;
  const rows = isLong ? longRows(given.length, given, (batch) => batch) : given;
  if (!('batches' in rows)) {
    if (kind !== 'array' || format.format !== 'json') {
      return inScript(format, written(format, kind, shape), rows);
    }
    const values = rows.map((row) => valuesOf(shape, format, row));
    const { type, before, after } = scriptOf(format, JSON_TYPE);
    const text = scriptSafe(JSON.stringify(values, null, format.isCompact ? 0 : 2));
    return { type, text: before + text + after };
  }
  const parts = written(format, kind, shape);
  const batches = rows.batches()[Symbol.asyncIterator]();
  if (rows.count <= WHOLE) return inScript(format, parts, await gathered(batches));
  const first = await batches.next();
  const began: readonly R[] = first.done === true ? [] : first.value;
  const { type, before, after } = scriptOf(format, parts.type);
  async function* text(): AsyncGenerator<string> {
    yield before + parts.head(began[0]) + began.map(parts.each).join(parts.between);
    for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
      yield next.value.map((row) => parts.between + parts.each(row)).join('');
    }
    yield parts.tail + after;
  }
  return { type, text: text() };
}

async function gathered<R>(batches: AsyncIterator<readonly R[]>): Promise<readonly R[]> {
  const all: R[] = [];
  for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
    all.push(...next.value);
  }
  return all;
}

export function scriptOf({ callback }: Pick<Format, 'callback'>, type: string) {
  if (callback === null || type !== JSON_TYPE) return { type, before: '', after: '' };
  // The comment keeps the callback from being sniffed as another file type.
  const script = 'application/javascript; charset=UTF-8';
  return { type: script, before: `/**/${callback}(`, after: ');' };
}

function inScript<R>(
  format: Format,
  { type: own, head, each, between, tail }: Written<R>,
  rows: readonly R[],
): Body {
  const { type, before, after } = scriptOf(format, own);
  return { type, text: before + head(rows[0]) + rows.map(each).join(between) + tail + after };
}

interface Written<R> {
  readonly type: string;
  readonly head: (first: R | undefined) => string;
  readonly each: (row: R) => string;
  readonly between: string;
  readonly tail: string;
}

function written<R>(format: Format, kind: Rows<R>['kind'], shape: Shape<R>): Written<R> {
  const json = (row: R, indent: number): string =>
    scriptSafe(JSON.stringify(valuesOf(shape, format, row), null, indent));
  const isOne = kind === 'one';
  const feature = (row: R): string => featureOf(shape, format, row, isOne);
  const indent = format.isCompact ? 0 : 2;
  const plain = { type: JSON_TYPE, head: () => '', tail: '', between: '' };
  switch (format.format) {
    case 'csv':
      return { ...plain, type: 'text/csv; charset=UTF-8', ...csvParts(shape) };
    case 'geojson':
      if (format.isLines)
        return { ...plain, type: LINES_TYPE, each: (row) => `${feature(row)}\r\n` };
      if (isOne) return { ...plain, each: feature };
      return { ...plain, ...collection(format), each: feature, between: ',\n' };
    case 'ndjson':
      return { ...plain, type: LINES_TYPE, each: (row) => `${json(row, 0)}\r\n` };
    case 'json':
      return { ...plain, ...(isOne ? {} : LIST), each: (row) => json(row, indent) };
  }
}

const LIST = { head: () => '[\n', between: ', ', tail: '\n]' };
const LINES_TYPE = 'application/x-ndjson; charset=UTF-8';

/** JSON allows two line ends that JavaScript does not. */
export const scriptSafe = (text: string): string =>
  text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

function valuesOf<R>(shape: Shape<R>, { structure }: Format, row: R): Values {
  if (structure === 'mini') return miniOf(shape, row);
  return (shape[structure ?? 'nestet'] ?? shape.nestet)(row);
}

function miniOf<R>({ nestet, flad, mini, label }: Shape<R>, row: R): Values {
  if (mini !== undefined) return mini(row);
  if (label === undefined || flad === undefined) return nestet(row);
  const { bbox_xmin, bbox_ymin, bbox_xmax, bbox_ymax, ...values } = flad(row);
  void [bbox_xmin, bbox_ymin, bbox_xmax, bbox_ymax];
  return { ...values, betegnelse: label(row) };
}

function collection({ srid }: Format): Pick<Written<unknown>, 'head' | 'tail'> {
  const crs = srid === 4326 ? '' : `,${crsOf(srid)}`;
  return { head: () => `{"type":"FeatureCollection"${crs},"features":[\n`, tail: '\n]}' };
}

const crsOf = (srid: Format['srid']): string =>
  `"crs":{"type":"name","properties":{"name":"EPSG:${srid}"}}`;

function featureOf<R>(
  shape: Shape<R>,
  { srid, structure }: Format,
  row: R,
  isOne: boolean,
): string {
  const values = (shape[structure ?? 'flad'] ?? shape.flad ?? shape.nestet)(row);
  const crs = isOne ? `,${crsOf(srid)}` : '';
  const geometry = shape.geometry?.(row) ?? 'null';
  return `{"type":"Feature","geometry":${geometry}${crs},${membersOf(values)}}`;
}

/** A box belongs to the feature, not to its properties. */
function membersOf(values: Values): string {
  const { bbox_xmin: west, bbox_ymin: south, bbox_xmax: east, bbox_ymax: north, ...rest } = values;
  const box = west === undefined || west === null ? null : [west, south, east, north];
  return JSON.stringify({ properties: rest, ...(box && { bbox: box }) }).slice(1, -1);
}

function csvParts<R>(shape: Shape<R>): Pick<Written<R>, 'head' | 'each'> {
  const values = shape.flad ?? shape.nestet;
  let names: readonly string[] = [];
  return {
    head: (first) => {
      if (first === undefined) return '';
      names = Object.keys(values(first));
      return csvLine(names);
    },
    each: (row) => {
      const own = values(row);
      return csvLine(names.map((name) => own[name]));
    },
  };
}
