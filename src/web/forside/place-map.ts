import { HOUSE_TILES, PARCEL_TILES, ROAD_NAMES, namesLayer } from '../../layers/keys.ts';
import type { LineRow } from '../shared/answers.ts';
import { COLOURS } from '../shared/colours.ts';
import { number } from '../shared/format.ts';
import { t } from '../shared/language.ts';
import { groupsOf } from '../shared/line-words.ts';
import { frameAround, pathOf, pictureView, readTiles } from '../shared/small-map.ts';
import { ringsInFrame, tilesView } from '../shared/small-map.ts';
import type { Rings } from '../shared/answers.ts';
import type { AskFor, DrawnTile, Frame } from '../shared/small-map.ts';
import { nothing, svg } from '../shared/template.ts';
import type { TemplateResult } from '../shared/template.ts';
import type { TileFeature } from '../shared/vector-tile.ts';

/** Both tables have tiles from there on. */
const ZOOM = 15;
const WIDEST_M = 520;
const NARROWEST_M = 300;
const PX_A_METRE = 1.2;
const HEIGHT_OF_WIDTH = 0.75;

interface MapDeps {
  readonly place: { readonly lon: number; readonly lat: number };
  readonly rows: readonly LineRow[];
  readonly ask: AskFor;
  /** Empty: none is known; null: they could not be read. */
  readonly parcels: readonly Rings[] | null;
  readonly widthPx: number;
}

export async function readPlaceMap({
  place: { lon, lat },
  rows,
  ask,
  parcels,
  widthPx: width,
}: MapDeps): Promise<() => TemplateResult> {
  const metres = Math.min(WIDEST_M, Math.max(NARROWEST_M, width / PX_A_METRE));
  const size = { width, height: Math.round(width * HEIGHT_OF_WIDTH) };
  const frame = frameAround([lon, lat], metres, size);
  const { applies, near, unsure } = groupsOf(rows);
  const wanted = [...applies, ...near].filter(
    ({ distanceM }) => distanceM !== null && Math.abs(distanceM) < metres * 0.6,
  );
  const read = (layer: string) => readTiles(ask, layer, ZOOM, frame);
  const [outlines, houses, lines] = await Promise.all([
    read(PARCEL_TILES),
    read(HOUSE_TILES),
    Promise.all(
      wanted.map(async ({ key: line, name }) => ({
        ...{ name, colour: COLOURS[line], tiles: await read(line) },
      })),
    ),
  ]);
  const isOwn = parcels !== null && parcels.length > 0;
  const own = (parcels ?? []).map((rings) => pathOf(ringsInFrame(rings, frame)));
  const label = number(Math.round(metres / 2));
  return () =>
    pictureView({
      frame,
      label: t(
        `Kort over stedet og ${label} m til hver side`,
        `Map of the place and ${label} m to each side`,
      ),
      drawn: [
        ...lines.map(({ colour, tiles }) => tilesView(tiles, (each) => lineView(each, colour))),
        ...tilesView(outlines, parcelView),
        ...own.map((d) => svg`<path class="own" d=${d}></path>`),
        ...labelsOf(houses ?? [], outlines ?? [], frame),
        svg`<circle class="mark" cx=${width / 2} cy=${size.height / 2} r="6"></circle>`,
      ],
      signs: [
        ...(isOwn ? [{ name: t('Ejendommen', 'The property'), colour: 'none', kind: 'own' }] : []),
        ...lines.filter(({ tiles }) => tiles !== null),
      ],
      missing: [
        ...(rows.length === 0 ? [t('byggelinjer', 'building lines')] : []),
        ...[...lines.filter(({ tiles }) => tiles === null), ...unsure].map(({ name }) => name),
        ...(parcels === null ? [t('ejendommens grænse', "the property's boundary")] : []),
        ...(outlines === null ? [t('jordstykker', 'parcels')] : []),
        ...(houses === null ? [t('husnumre', 'house numbers')] : []),
      ],
    });
}

function parcelView({ kind, rings }: TileFeature) {
  return kind === 'area' ? svg`<path class="parcel" d=${pathOf(rings)}></path>` : nothing;
}

function lineView({ kind, rings, properties }: TileFeature, colour: string) {
  if (properties['i_kraft'] === false) return nothing;
  const isArea = kind === 'area';
  return svg`<path class="line" stroke=${colour} fill=${isArea ? colour : 'none'} d=${pathOf(rings, isArea)}></path>`;
}

const LETTER_PX = 6.4;
const LINE_PX = 13;

interface Label {
  readonly text: string;
  readonly kind: 'road' | 'house' | 'number';
  readonly at: readonly [number, number];
}

/** By rank: what finds no room is left out. */
function labelsOf(
  houses: readonly DrawnTile[],
  parcels: readonly DrawnTile[],
  { width, height }: Frame,
): readonly TemplateResult<2>[] {
  const wanted = [
    ...wantedOf(houses, { layer: ROAD_NAMES, field: 'vejnavn', kind: 'road' }),
    ...wantedOf(houses, { layer: HOUSE_TILES, field: 'husnr', kind: 'house' }),
    ...wantedOf(parcels, {
      ...{ layer: namesLayer(PARCEL_TILES), field: 'matrikelnummer', kind: 'number' },
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
    return [svg`<text class=${kind} x=${x.toFixed(1)} y=${(y + 4).toFixed(1)}>${text}</text>`];
  });
}

function wantedOf(
  tiles: readonly DrawnTile[],
  wanted: { readonly layer: string; readonly field: string; readonly kind: Label['kind'] },
): readonly Label[] {
  return tiles.flatMap(({ features }) =>
    features.flatMap(({ layer, properties, rings }) => {
      const at = rings[0]?.[0];
      const text = properties[wanted.field];
      if (layer !== wanted.layer || typeof text !== 'string' || at === undefined) return [];
      return [{ text, kind: wanted.kind, at }];
    }),
  );
}
