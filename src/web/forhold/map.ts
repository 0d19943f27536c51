/** A small map: the parcel, its neighbours, and what lies on a part of it. What did not come is named. */
import { PARCEL_TILES } from '../../layers/keys.ts';
import type { Reply } from '../shared/answers.ts';
import { h, s } from '../shared/dom.ts';
import type { Attributes } from '../shared/dom.ts';
import { t } from '../shared/language.ts';
import type { TileFeature } from '../shared/vector-tile.ts';

export type Rings = readonly (readonly (readonly [lon: number, lat: number])[])[];
export type ReadTile = (path: string) => Promise<Reply<readonly TileFeature[]>>;

export interface Drawn {
  /** Of tiles. */
  readonly layer: string;
  readonly name: string;
}

const COLOURS = ['#8e3b6e', '#1c6ea4', '#b3541e', '#3f7d3a', '#7a4a1e', '#5b5bb0'];
const MOST_LAYERS = COLOURS.length;
const WIDTH = 520;
const HEIGHT = 400;
const TILES = { from: 11, to: 16, across: 3 };
const PARCELS_FROM = 14;
const EQUATOR_M = 40_075_016.686;

type World = readonly [number, number];

/** In parts of the world, Web Mercator. */
function worldOf([lon, lat]: readonly [number, number]): World {
  const angle = (lat * Math.PI) / 180;
  const north = Math.log(Math.tan(angle) + 1 / Math.cos(angle));
  return [(lon + 180) / 360, (1 - north / Math.PI) / 2];
}

interface Frame {
  readonly west: number;
  readonly north: number;
  /** Of the world's width. */
  readonly px: number;
  readonly metrePx: number;
}

function frameOf(polygons: readonly Rings[]): Frame {
  const points = polygons.flat(2).map(worldOf);
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [west, east] = [Math.min(...xs), Math.max(...xs)];
  const [north, south] = [Math.min(...ys), Math.max(...ys)];
  const span = Math.max((east - west) / WIDTH, (south - north) / HEIGHT) * 1.6;
  const lat = polygons[0]?.[0]?.[0]?.[1] ?? 56;
  return {
    west: (west + east) / 2 - (span * WIDTH) / 2,
    north: (north + south) / 2 - (span * HEIGHT) / 2,
    px: 1 / span,
    metrePx: 1 / (span * EQUATOR_M * Math.cos((lat * Math.PI) / 180)),
  };
}

/** `layers`: the first few are drawn. */
export async function mapOf(
  polygons: readonly Rings[],
  layers: readonly Drawn[],
  readTile: ReadTile,
): Promise<readonly Node[]> {
  const frame = frameOf(polygons);
  const shown = layers.slice(0, MOST_LAYERS);
  const read = await Promise.all(
    [PARCEL_TILES, ...shown.map(({ layer }) => layer)].map((layer) =>
      shapesOf(layer, frame, readTile),
    ),
  );
  const [parcels = null, ...found] = read;
  const missing = [
    ...(parcels === null ? [t('nabojordstykker', 'neighbouring parcels')] : []),
    ...shown.flatMap(({ name }, n) => (found[n] === null ? [name] : [])),
    ...layers.slice(MOST_LAYERS).map(({ name }) => name),
  ];
  const own = polygons.map((rings) =>
    pathOf(
      rings.map((ring) => ring.map(worldOf)),
      frame,
    ),
  );
  return [
    s(
      'svg',
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        role: 'img',
        'aria-label': t('Kort over jordstykket', 'Map of the parcel'),
      },
      s('rect', { class: 'ground', width: WIDTH, height: HEIGHT }),
      ...found.flatMap((tiles, n) =>
        tilesOf(tiles, { class: 'condition', fill: COLOURS[n], stroke: COLOURS[n] }),
      ),
      ...tilesOf(parcels, { class: 'parcel' }),
      ...own.map((d) => s('path', { class: 'own', d })),
      ...scaleOf(frame),
    ),
    captionOf(
      shown.filter((_, n) => found[n] !== null),
      missing,
    ),
  ];
}

interface DrawnTile {
  readonly box: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;
  readonly paths: readonly string[];
}

/** Each cut at its edge: tiles have a margin, which would be drawn twice. */
function tilesOf(tiles: readonly DrawnTile[] | null | undefined, look: Attributes) {
  return (tiles ?? []).map(({ box, paths }) =>
    s(
      'svg',
      { ...box, viewBox: Object.values(box).join(' ') },
      ...paths.map((d) => s('path', { ...look, d })),
    ),
  );
}

/** The areas of a layer, by tile; null: one did not come, or says that something could not be read. */
async function shapesOf(
  layer: string,
  frame: Frame,
  readTile: ReadTile,
): Promise<readonly DrawnTile[] | null> {
  const acrossWorld = WIDTH / frame.px;
  const z = Math.max(
    TILES.from,
    Math.min(TILES.to, Math.floor(Math.log2(TILES.across / acrossWorld))),
  );
  // Refused: a large parcel is drawn without its neighbours.
  if (layer === PARCEL_TILES && z < PARCELS_FROM) return null;
  const size = 2 ** z;
  const range = (from: number, wide: number) => {
    const [first, last] = [Math.floor(from * size), Math.floor((from + wide) * size)];
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  };
  const places = range(frame.west, acrossWorld).flatMap((x) =>
    range(frame.north, HEIGHT / frame.px).map((y) => [x, y] as const),
  );
  const replies = await Promise.all(
    places.map(([x, y]) => readTile(`v1/kort/${layer}/${z}/${x}/${y}.mvt`)),
  );
  const tiles: DrawnTile[] = [];
  for (const [n, reply] of replies.entries()) {
    const [x, y] = places[n] ?? [0, 0];
    if (!reply.ok || reply.body.some(({ properties }) => properties['ubesvaret'] === true))
      return null;
    const paths = reply.body.flatMap(({ kind, rings }) => {
      if (kind !== 'area') return [];
      const inWorld = rings.map((ring) =>
        ring.map(([across, down]): World => [(x + across) / size, (y + down) / size]),
      );
      return [pathOf(inWorld, frame)];
    });
    const [width, height] = [frame.px / size, frame.px / size];
    const [left, top] = [x / size - frame.west, y / size - frame.north];
    tiles.push({ box: { x: left * frame.px, y: top * frame.px, width, height }, paths });
  }
  return tiles;
}

function pathOf(rings: readonly (readonly World[])[], { west, north, px }: Frame): string {
  const at = ([x, y]: World) => `${((x - west) * px).toFixed(1)} ${((y - north) * px).toFixed(1)}`;
  return rings.map((ring) => `M${ring.map(at).join('L')}Z`).join('');
}

function scaleOf({ metrePx }: Frame): readonly Node[] {
  const long =
    [5, 10, 20, 50, 100, 200, 500, 1000, 2000].findLast((each) => each * metrePx < WIDTH / 3) ?? 5;
  const [x, y] = [12, HEIGHT - 12];
  return [
    s('path', { class: 'scale', d: `M${x} ${y - 5}V${y}H${x + long * metrePx}V${y - 5}` }),
    s('text', { x: x + long * metrePx + 6, y }, `${long} m`),
  ];
}

function captionOf(drawn: readonly Drawn[], missing: readonly string[]): HTMLElement {
  const signs = drawn.map(({ name }, n) =>
    h(
      'li',
      { lang: 'da' },
      s(
        'svg',
        { width: 12, height: 12, 'aria-hidden': 'true' },
        s('rect', { width: 12, height: 12, rx: 2, fill: COLOURS[n] }),
      ),
      ` ${name}`,
    ),
  );
  return h(
    'figcaption',
    {},
    h('ul', { class: 'map-signs' }, ...signs),
    missing.length > 0 &&
      h('p', { class: 'notice warn' }, `${t('Ikke tegnet', 'Not drawn')}: ${missing.join(', ')}.`),
  );
}
