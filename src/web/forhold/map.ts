import { PARCEL_TILES } from '../../layers/keys.ts';
import { t } from '../shared/language.ts';
import { frameHolding, pathOf, pictureView, readTiles } from '../shared/small-map.ts';
import { ringsInFrame, tilesView } from '../shared/small-map.ts';
import type { Rings } from '../shared/answers.ts';
import type { AskFor } from '../shared/small-map.ts';
import { nothing, svg } from '../shared/template.ts';
import type { TemplateResult } from '../shared/template.ts';
import type { TileFeature } from '../shared/vector-tile.ts';

interface Drawn {
  readonly layer: string;
  readonly name: string;
}

const COLOURS = ['#8e3b6e', '#1c6ea4', '#b3541e', '#3f7d3a', '#7a4a1e', '#5b5bb0'];
const SIZE = { width: 520, height: 400 };
const TILES = { from: 11, to: 16, across: 3 };
const PARCELS_FROM = 14;

/** Fetches what the result draws, of `layers` the first few. */
export async function readMap(
  polygons: readonly Rings[],
  layers: readonly Drawn[],
  ask: AskFor,
): Promise<() => TemplateResult> {
  const frame = frameHolding(polygons.flat(), SIZE);
  const fitting = Math.floor(Math.log2((TILES.across * frame.px) / frame.width));
  const z = Math.max(TILES.from, Math.min(TILES.to, fitting));
  const [neighbours, found] = await Promise.all([
    // Refused: a large parcel is drawn without its neighbours.
    z < PARCELS_FROM ? null : readTiles(ask, PARCEL_TILES, z, frame),
    Promise.all(
      COLOURS.slice(0, layers.length).map(async (colour, n) => {
        const { layer, name } = layers[n] ?? { layer: '', name: '' };
        return { colour, name, tiles: await readTiles(ask, layer, z, frame) };
      }),
    ),
  ]);
  const left = layers.slice(COLOURS.length).map(({ name }) => name);
  return () =>
    pictureView({
      frame,
      label: t('Kort over jordstykket', 'Map of the parcel'),
      drawn: [
        ...found.map(({ colour, tiles }) => tilesView(tiles, areaOf('line', colour))),
        ...tilesView(neighbours, areaOf('parcel')),
        ...polygons.map(
          (rings) => svg`<path class="own" d=${pathOf(ringsInFrame(rings, frame))}></path>`,
        ),
      ],
      signs: found.filter(({ tiles }) => tiles !== null),
      missing: [
        ...(neighbours === null ? [t('nabojordstykker', 'neighbouring parcels')] : []),
        ...found.flatMap(({ name, tiles }) => (tiles === null ? [name] : [])),
        ...left,
      ],
    });
}

function areaOf(kind: string, colour?: string) {
  return ({ kind: shape, rings }: TileFeature) =>
    shape === 'area'
      ? svg`<path class=${kind} fill=${colour ?? nothing} stroke=${colour ?? nothing} d=${pathOf(rings)}></path>`
      : nothing;
}
