/** From the mirror's tiles. What did not come is named. */
import type { Reply, Rings } from './answers.ts';
import { t } from './language.ts';
import { html, nothing, svg } from './template.ts';
import type { Content, TemplateResult } from './template.ts';
import { readVectorTile } from './vector-tile.ts';
import type { TileFeature } from './vector-tile.ts';

const EQUATOR_M = 40_075_016.686;

type Point = readonly [x: number, y: number];

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Frame extends Size {
  /** Its corner, in parts of the world. */
  readonly west: number;
  readonly north: number;
  /** Of the world's width. */
  readonly px: number;
  readonly metrePx: number;
}

/** In parts of the world, Web Mercator. */
function worldOf([lon, lat]: Point): Point {
  const angle = (lat * Math.PI) / 180;
  const north = Math.log(Math.tan(angle) + 1 / Math.cos(angle));
  return [(lon + 180) / 360, (1 - north / Math.PI) / 2];
}

function acrossM(y: number): number {
  return EQUATOR_M / Math.cosh(Math.PI * (1 - 2 * y));
}

function frameAt([x, y]: Point, px: number, { width, height }: Size): Frame {
  const [west, north] = [x - width / 2 / px, y - height / 2 / px];
  return { width, height, west, north, px, metrePx: px / acrossM(y) };
}

export function frameAround(at: Point, metres: number, size: Size): Frame {
  const centre = worldOf(at);
  return frameAt(centre, (size.width * acrossM(centre[1])) / metres, size);
}

/** With room around them. */
export function frameHolding(rings: Rings, size: Size): Frame {
  const points = rings.flat().map(worldOf);
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [west, east] = [Math.min(...xs), Math.max(...xs)];
  const [north, south] = [Math.min(...ys), Math.max(...ys)];
  const span = Math.max((east - west) / size.width, (south - north) / size.height) * 1.6;
  return frameAt([(west + east) / 2, (north + south) / 2], 1 / span, size);
}

function inFrame([x, y]: Point, { west, north, px }: Frame): Point {
  return [(x - west) * px, (y - north) * px];
}

export function ringsInFrame(rings: Rings, frame: Frame): Rings {
  return rings.map((ring) => ring.map((at) => inFrame(worldOf(at), frame)));
}

export function pathOf(rings: Rings, isClosed = true): string {
  const at = ([x, y]: Point) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return rings.map((ring) => `M${ring.map(at).join('L')}${isClosed ? 'Z' : ''}`).join('');
}

export interface DrawnTile {
  readonly box: readonly [x: number, y: number, width: number, height: number];
  /** In pixels of the map. */
  readonly features: readonly TileFeature[];
}

export type AskFor = <Body>(
  path: string,
  options: { readonly read: (response: Response) => Promise<Body> },
) => Promise<Reply<Body>>;

/** null: one did not come, or something of it could not be read. */
export async function readTiles(
  ask: AskFor,
  layer: string,
  z: number,
  frame: Frame,
): Promise<readonly DrawnTile[] | null> {
  const size = 2 ** z;
  const range = (from: number, px: number) => {
    const [first, last] = [Math.floor(from * size), Math.floor((from + px / frame.px) * size)];
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  };
  const places = range(frame.west, frame.width).flatMap((x) =>
    range(frame.north, frame.height).map((y) => [x, y] as const),
  );
  const tiles = await Promise.all(
    places.map(async ([x, y]): Promise<DrawnTile | null> => {
      const reply = await ask(`v1/kort/${layer}/${z}/${x}/${y}.mvt`, {
        read: async (response) => readVectorTile(await response.arrayBuffer()),
      });
      if (!reply.ok || reply.body.some(({ properties }) => properties['ubesvaret'] === true))
        return null;
      const at = ([across, down]: Point) =>
        inFrame([(x + across) / size, (y + down) / size], frame);
      const features = reply.body.map((each) => ({
        ...each,
        rings: each.rings.map((ring) => ring.map(at)),
      }));
      return { box: [...at([0, 0]), frame.px / size, frame.px / size], features };
    }),
  );
  const read = tiles.filter((tile) => tile !== null);
  return read.length === tiles.length ? read : null;
}

/** Each cut at its edge: tiles have a margin, which would be drawn twice. */
export function tilesView(
  tiles: readonly DrawnTile[] | null | undefined,
  draw: (feature: TileFeature) => Content,
): readonly TemplateResult<2>[] {
  return (tiles ?? []).map(
    ({ box, features }) =>
      svg`<svg x=${box[0]} y=${box[1]} width=${box[2]} height=${box[3]} viewBox=${box.join(' ')}>
        ${features.map(draw)}</svg>`,
  );
}

export interface Sign {
  readonly name: string;
  readonly colour: string;
  readonly kind?: string;
}

interface Picture {
  readonly frame: Frame;
  readonly label: string;
  readonly drawn: unknown;
  readonly signs: readonly Sign[];
  readonly missing: readonly string[];
}

export function pictureView({ frame, label, drawn, signs, missing }: Picture): TemplateResult {
  const { width, height } = frame;
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label=${label}>
      <rect class="ground" width=${width} height=${height}></rect>
      ${drawn} ${scaleView(frame)}
    </svg>
    <figcaption>
      <ul class="map-signs">
        ${signs.map(signView)}
      </ul>
      ${
        missing.length === 0
          ? nothing
          : html`<p class="notice warn">
              <strong>${t('Ikke tegnet:', 'Not drawn:')}</strong> ${missing.join(', ')}.
            </p>`
      }
    </figcaption>`;
}

const LENGTHS_M = [5, 10, 20, 50, 100, 200, 500, 1000, 2000];

function scaleView({ width, height, metrePx }: Frame): TemplateResult<2> {
  const long = LENGTHS_M.findLast((each) => each * metrePx <= width / 2.9) ?? 5;
  const [x, y, end] = [12, height - 10, 12 + long * metrePx];
  return svg`<path class="scale" d="M${x} ${y - 5}V${y}H${end}V${y - 5}"></path>
    <text class="scale-text" x=${end + 6} y=${y}>${long} m</text>`;
}

function signView({ name, colour, kind = '' }: Sign): TemplateResult {
  return html`<li>
    <svg width="14" height="14" aria-hidden="true">
      <rect x="2" y="2" width="10" height="10" rx="2" fill=${colour} class=${kind}></rect>
    </svg>
    <span lang=${kind === '' ? 'da' : nothing}>${name}</span>
  </li>`;
}
