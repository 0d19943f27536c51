import type { Subject } from '../shared/subject.ts';
import type {
  Areas,
  BuildingLines,
  LineRow,
  NearestAddress,
  Parcels,
  Property,
  Reply,
  Status,
} from '../shared/answers.ts';
import { bearer } from '../shared/lookup.ts';
import { drawingSecret, lookUp, myTurn } from './api.ts';
import { agesOf, lineRows } from '../shared/answers.ts';
import { pathsOf, propertyPaths } from './copies.ts';
import type { Drawn, Segment } from './copies.ts';
import { metresOf } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import type { Polygon, Ring } from './nearest.ts';
import type { Measured, Metres, Shape } from './measured.ts';
import { measuredOn } from './measured.ts';

/** Metres beyond the measured distance: what lies just there is part of the zone. */
const MARGIN_M = 2;
/** Features read at most for one distance. */
const MOST_FEATURES = 3_000;

/**
 * From the part of `/v1/kort/<layer>.fgb` around the place. Throws when the file cannot be read.
 */
async function measure(
  row: LineRow,
  at: Metres,
  headers: Readonly<Record<string, string>>,
): Promise<Measured | null> {
  if (row.distanceM === null) return null;
  const radiusM = Math.abs(row.distanceM) + MARGIN_M;
  const shapes = await shapesNear(row.key, { at, radiusM }, headers);
  return shapes === null ? null : measuredOn(row, at, shapes);
}

/** In force; null: more than can be looked at. */
async function shapesNear(
  layer: string,
  { at: [x, y], radiusM }: { readonly at: Metres; readonly radiusM: number },
  headers: Readonly<Record<string, string>>,
): Promise<readonly Shape[] | null> {
  const rect = { minX: x - radiusM, minY: y - radiusM, maxX: x + radiusM, maxY: y + radiusM };
  const url = new URL(`v1/kort/${layer}.fgb`, document.baseURI).href;
  const { deserialize } = await import('flatgeobuf/lib/mjs/geojson.js');
  const shapes: Shape[] = [];
  for await (const feature of deserialize(url, { rect, headers: { ...headers } })) {
    const read = feature as unknown as FileFeature;
    if (read.properties.i_kraft) shapes.push(shapeOf(read));
    if (shapes.length > MOST_FEATURES) return null;
  }
  return shapes;
}

interface FileFeature {
  readonly properties: { readonly objekt_id: string; readonly i_kraft: boolean };
  /** Of a polygon, a line, or several of one kind. */
  readonly geometry: { readonly type: string; readonly coordinates: readonly unknown[] };
}

function shapeOf({ properties, geometry: { type, coordinates } }: FileFeature): Shape {
  const parts = type.startsWith('Multi') ? coordinates : [coordinates];
  const isArea = type.endsWith('Polygon');
  return {
    objectId: properties.objekt_id,
    polygons: isArea ? (parts as readonly Polygon[]) : [],
    lines: isArea ? [] : (parts as readonly Ring[]),
  };
}

export type Answers = Awaited<ReturnType<typeof askAbout>>;

/**
 * All at once; the property when an address has told which. Throws for an abort alone. `subject`
 * null: the place was named in another way.
 */
export async function askAbout(place: Place, subject: Subject | null, signal: AbortSignal) {
  const paths = pathsOf(place);
  const [linesPath = '', areasPath = '', addressPath = ''] = paths;
  const [lines, areas, status, ofAddress] = await Promise.all([
    lookUp<BuildingLines>(linesPath, signal),
    lookUp<Areas>(areasPath, signal),
    lookUp<Status>('v1/status', signal),
    askProperty(addressPath, subject, signal),
  ]);
  const { bfe } = ofAddress;
  return {
    place,
    subject,
    askedAt: new Date(),
    paths: [...paths, ...(bfe === null ? [] : propertyPaths(bfe))],
    lines,
    rows: lines.ok ? lineRows(lines, agesOf(status.ok ? status.body.lag : [])) : [],
    areas,
    ...ofAddress,
  };
}

/** The property is that of what was searched for, else of the address; null: there is none. */
async function askProperty(addressPath: string, subject: Subject | null, signal: AbortSignal) {
  const address = await lookUp<NearestAddress>(addressPath, signal);
  const nearest = address.ok ? address.body.adresse.bfe_nummer : null;
  const bfe = subject?.bfe === undefined ? nearest : subject.bfe;
  if (bfe === null) return { address, bfe, property: null, parcels: null };
  const [built, cadastral] = propertyPaths(bfe);
  const [property, parcels] = await Promise.all([
    lookUp<Property>(built, signal),
    lookUp<Parcels>(cadastral, signal),
  ]);
  return { address, bfe, property, parcels };
}

export interface Drawing {
  readonly shapes: readonly Drawn[];
  readonly segments: readonly Segment[];
  readonly notDrawn: ReadonlySet<string>;
}

/** The file's head, its index, the features. */
const REQUESTS_A_FILE = 4;
/** For a file refused or cut off; milliseconds before the second (its Retry-After). */
const MOST_READS = 2;
const REST_MS = 2_000;

const FILE_MS = 30_000;

/** An unreadable shape is left out. */
export async function drawingOf({ place, rows, parcels }: Answers): Promise<Drawing> {
  const at = metresOf(place);
  const read = async (row: LineRow, tries = 1): Promise<Measured | null> => {
    await myTurn(REQUESTS_A_FILE);
    try {
      const late = new Promise<never>((_, reject) => setTimeout(reject, FILE_MS));
      return await Promise.race([measure(row, at, bearer(await drawingSecret())), late]);
    } catch {
      if (tries === MOST_READS) return null;
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      return await read(row, tries + 1);
    }
  };
  const asked = rows.filter(({ distanceM }) => distanceM !== null);
  const found = await Promise.all(asked.map((row) => read(row)));
  const measured = found.filter((each) => each !== null);
  return {
    shapes: [...parcelShapes(parcels), ...measured.map(({ shape }) => shape)],
    segments: measured.map(({ segment }) => segment),
    notDrawn: new Set(asked.flatMap(({ key }, at) => (found[at] === null ? [key] : []))),
  };
}

/** From degrees to metres. */
function parcelShapes(parcels: Reply<Parcels> | null): readonly Drawn[] {
  if (parcels === null || !parcels.ok) return [];
  const ring = (positions: Ring) =>
    positions.map(([lon = 0, lat = 0]) => metresOf({ srid: 4326, lon, lat }));
  return parcels.body.jordstykker.flatMap(({ matrikelnummer, geometri }): readonly Drawn[] => {
    if (geometri === null) return [];
    const polygons = geometri.coordinates.map((rings) => rings.map(ring));
    return [{ layer: 'ejendom', name: matrikelnummer ?? '?', properties: {}, polygons, lines: [] }];
  });
}
