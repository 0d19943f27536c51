/** A map of the parcel and what lies around it, from the tiles of the mirror. What did not come is named. */
import { HOUSE_TILES, PARCEL_TILES, ROAD_NAMES, namesLayer } from '../../layers/keys.ts';
import type { LineKey } from '../../layers/keys.ts';
import type { LineRow, Reply } from '../shared/answers.ts';
import { COLOURS } from '../shared/colours.ts';
import { h, s } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { t } from '../shared/language.ts';
import { groupsOf } from '../shared/line-words.ts';
import type { TileFeature } from '../shared/vector-tile.ts';

/** Both tables have tiles from there on. */
const ZOOM = 15;
const EQUATOR_M = 40_075_016.686;
const WIDEST_M = 520;
const NARROWEST_M = 300;
const PX_A_METRE = 1.2;
const HEIGHT_OF_WIDTH = 0.75;
const SCALE_M = 100;

export type ReadTile = (
  layer: string,
  at: readonly [z: number, x: number, y: number],
) => Promise<Reply<readonly TileFeature[]>>;

type Ring = readonly (readonly [number, number])[];
/** Of polygons. */
export type Rings = readonly (readonly Ring[])[];

export interface MapDeps {
  readonly place: { readonly lon: number; readonly lat: number };
  readonly rows: readonly LineRow[];
  readonly readTile: ReadTile;
  /** Rings of the property, in degrees; empty: none is known; null: they could not be read. */
  readonly parcels: Rings | null;
  readonly widthPx: number;
}

/** Where on the map a position lies, pixels. */
interface Frame {
  readonly width: number;
  readonly height: number;
  readonly metres: number;
  readonly ofTile: (at: readonly [x: number, y: number]) => readonly [number, number];
  readonly tiles: readonly (readonly [x: number, y: number])[];
}

/** Fetches what is drawn, then draws it as often as it is asked to. */
export async function drawPlaceMap(deps: MapDeps): Promise<() => readonly Node[]> {
  const frame = frameOf(deps);
  const { applies, near, unsure } = groupsOf(deps.rows);
  const lines = [...applies, ...near].filter(
    ({ distanceM }) => distanceM !== null && Math.abs(distanceM) < frame.metres * 0.6,
  );
  const layers = [...lines.map(({ key }) => key), PARCEL_TILES, HOUSE_TILES];
  const read = await Promise.all(
    layers.map(async (layer) => [layer, await readLayer(layer, frame, deps.readTile)] as const),
  );
  const found = new Map(read.filter(([, drawn]) => drawn !== null));
  const missing = lines.filter(({ key }) => !found.has(key)).concat(unsure);
  return () => [
    pictureOf(deps, frame, found),
    captionOf({
      hasOwn: (deps.parcels ?? []).length > 0,
      drawn: lines.filter(({ key }) => found.has(key)),
      missing: [
        ...(deps.rows.length === 0 ? [t('byggelinjer', 'building lines')] : []),
        ...missing.map(({ name }) => name),
        ...(deps.parcels === null ? [t('ejendommens grænse', "the property's boundary")] : []),
        ...(found.has(PARCEL_TILES) ? [] : [t('jordstykker', 'parcels')]),
        ...(found.has(HOUSE_TILES) ? [] : [t('husnumre', 'house numbers')]),
      ],
    }),
  ];
}

function frameOf({ place, widthPx: width }: MapDeps): Frame {
  const height = Math.round(width * HEIGHT_OF_WIDTH);
  const metres = Math.min(WIDEST_M, Math.max(NARROWEST_M, width / PX_A_METRE));
  const tileM = (EQUATOR_M * Math.cos((place.lat * Math.PI) / 180)) / 2 ** ZOOM;
  const tilePx = (tileM * width) / metres;
  const [x, y] = tileOf([place.lon, place.lat]);
  const [halfX, halfY] = [width / 2 / tilePx, height / 2 / tilePx];
  const between = (from: number, to: number) =>
    Array.from({ length: Math.floor(to) - Math.floor(from) + 1 }, (_, at) => Math.floor(from) + at);
  return {
    width,
    height,
    metres,
    ofTile: ([tx, ty]) => [(tx - x) * tilePx + width / 2, (ty - y) * tilePx + height / 2],
    tiles: between(x - halfX, x + halfX).flatMap((tx) =>
      between(y - halfY, y + halfY).map((ty) => [tx, ty] as const),
    ),
  };
}

/** In tiles of the zoom, Web Mercator. */
function tileOf([lon, lat]: readonly [number, number]): readonly [number, number] {
  const angle = (lat * Math.PI) / 180;
  const north = Math.log(Math.tan(angle) + 1 / Math.cos(angle));
  return [((lon + 180) / 360) * 2 ** ZOOM, ((1 - north / Math.PI) / 2) * 2 ** ZOOM];
}

/** Its features on the map; null: a tile did not come, or says that something of it could not be read. */
async function readLayer(
  layer: string,
  { tiles, ofTile }: Frame,
  readTile: ReadTile,
): Promise<readonly TileFeature[] | null> {
  const read = await Promise.all(tiles.map(([x, y]) => readTile(layer, [ZOOM, x, y])));
  const features: TileFeature[] = [];
  for (const [index, reply] of read.entries()) {
    const [x, y] = tiles[index] ?? [0, 0];
    if (!reply.ok || reply.body.some(({ properties }) => properties['ubesvaret'] === true))
      return null;
    for (const feature of reply.body) {
      const rings = feature.rings.map((ring) =>
        ring.map(([across, down]) => ofTile([x + across, y + down])),
      );
      features.push({ ...feature, rings });
    }
  }
  return features;
}

function pictureOf(
  { parcels, rows }: MapDeps,
  frame: Frame,
  found: ReadonlyMap<string, readonly TileFeature[] | null>,
): SVGSVGElement {
  const { width, height, metres } = frame;
  const featuresOf = (layer: string) => found.get(layer) ?? [];
  const lines = rows.flatMap(({ key }) =>
    featuresOf(key)
      .filter(({ properties }) => properties['i_kraft'] !== false)
      .map((feature) => linePath(key, feature)),
  );
  const own = (parcels ?? []).map((rings) =>
    rings.map((ring) => ring.map((at) => frame.ofTile(tileOf(at)))),
  );
  const outlines = featuresOf(PARCEL_TILES).filter(({ kind }) => kind === 'area');
  return s(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': t(
        `Kort over stedet og ${number(Math.round(metres / 2))} m til hver side`,
        `Map of the place and ${number(Math.round(metres / 2))} m to each side`,
      ),
    },
    s('rect', { class: 'ground', width, height }),
    ...lines,
    ...outlines.map(({ rings }) => s('path', { class: 'parcel', d: pathOf(rings, true) })),
    ...own.map((rings) => s('path', { class: 'own', d: pathOf(rings, true) })),
    ...labelsOf(featuresOf(HOUSE_TILES), featuresOf(PARCEL_TILES), frame),
    s('circle', { class: 'mark', cx: width / 2, cy: height / 2, r: 6 }),
    ...scaleOf(frame),
  );
}

function linePath(key: LineKey, { kind, rings }: TileFeature): Node {
  const isArea = kind === 'area';
  const stroke = COLOURS[key];
  return s('path', {
    d: pathOf(rings, isArea),
    stroke,
    fill: isArea ? stroke : 'none',
    class: 'line',
  });
}

function pathOf(rings: readonly Ring[], isClosed: boolean): string {
  return rings
    .map((ring) => {
      const points = ring.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`);
      return `M${points.join('L')}${isClosed ? 'Z' : ''}`;
    })
    .join('');
}

const LETTER_PX = 6.4;
const LINE_PX = 13;

interface Label {
  readonly text: string;
  readonly kind: 'road' | 'house' | 'number';
  readonly at: readonly [number, number];
}

/** Roads first, then house numbers, then parcels: what finds no room is left out. */
function labelsOf(
  houses: readonly TileFeature[],
  parcels: readonly TileFeature[],
  { width, height }: Frame,
): readonly Node[] {
  const wanted: readonly Label[] = [
    ...wantedOf(houses, { layer: ROAD_NAMES, field: 'vejnavn', kind: 'road' }),
    ...wantedOf(houses, { layer: HOUSE_TILES, field: 'husnr', kind: 'house' }),
    ...wantedOf(parcels, {
      layer: namesLayer(PARCEL_TILES),
      field: 'matrikelnummer',
      kind: 'number',
    }),
  ];
  const mark = { left: width / 2 - 8, right: width / 2 + 8, top: height / 2 - 8 };
  const taken = [
    { ...mark, bottom: height / 2 + 8 },
    { left: 0, right: width / 2, top: height - 26, bottom: height },
  ];
  return wanted.flatMap(({ text, kind, at: [x, y] }) => {
    const half = (text.length * LETTER_PX) / 2;
    const box = { left: x - half, right: x + half, top: y - LINE_PX / 2, bottom: y + LINE_PX / 2 };
    const isSeen = box.left > 2 && box.right < width - 2 && box.top > 2 && box.bottom < height - 2;
    const isFree = taken.every(
      (other) =>
        box.right < other.left ||
        box.left > other.right ||
        box.bottom < other.top ||
        box.top > other.bottom,
    );
    if (!isSeen || !isFree) return [];
    taken.push(box);
    return [s('text', { class: kind, x: x.toFixed(1), y: (y + 4).toFixed(1) }, text)];
  });
}

function wantedOf(
  features: readonly TileFeature[],
  wanted: { readonly layer: string; readonly field: string; readonly kind: Label['kind'] },
): readonly Label[] {
  return features.flatMap(({ layer, properties, rings }) => {
    const at = rings[0]?.[0];
    const text = properties[wanted.field];
    if (layer !== wanted.layer || typeof text !== 'string' || at === undefined) return [];
    return [{ text, kind: wanted.kind, at }];
  });
}

function scaleOf({ width, height, metres }: Frame): readonly Node[] {
  const long = (SCALE_M * width) / metres;
  const [x, y] = [12, height - 10];
  return [
    s('path', { class: 'scale', d: `M${x} ${y - 5}V${y}H${x + long}V${y - 5}` }),
    s('text', { class: 'scale-text', x: x + long + 6, y }, `${SCALE_M} m`),
  ];
}

function captionOf({
  hasOwn,
  drawn,
  missing,
}: {
  readonly hasOwn: boolean;
  readonly drawn: readonly LineRow[];
  readonly missing: readonly string[];
}): HTMLElement {
  const sign = (name: string, colour: string, kind = '') =>
    h('li', {}, swatch(colour, kind), h('span', { lang: 'da' }, name));
  return h(
    'figcaption',
    {},
    h(
      'ul',
      { class: 'map-signs' },
      hasOwn && sign(t('Ejendommen', 'The property'), 'none', 'own'),
      ...drawn.map(({ key, name }) => sign(name, COLOURS[key])),
    ),
    missing.length > 0 &&
      h(
        'p',
        { class: 'notice warn' },
        h('strong', {}, t('Ikke tegnet: ', 'Not drawn: ')),
        `${missing.join(', ')}.`,
      ),
  );
}

function swatch(fill: string, kind: string): Node {
  return s(
    'svg',
    { width: 14, height: 14, 'aria-hidden': 'true' },
    s('rect', { x: 2, y: 2, width: 10, height: 10, rx: 2, fill, class: kind }),
  );
}
