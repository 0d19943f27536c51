import type OlMap from 'ol/Map.js';
import LineString from 'ol/geom/LineString.js';
import Point from 'ol/geom/Point.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorSource from 'ol/source/Vector.js';
import type { MapLayer } from './address-bar.ts';
import { nearestOf, placeLabels } from './labels.ts';
import type { Pixel, Rect } from './labels.ts';
import { labelSize, labelStyle, leaderStyle, styled } from './styles.ts';

/** From the place to its foot, in Web Mercator. */
export interface MeasuredLine {
  readonly layer: MapLayer;
  readonly line: number[][];
  readonly text: string;
}

/** No label goes under it. */
const OVER_THE_MAP = '.ol-zoom, .map-tools, .ol-scale-line, .notice, #background-source';
const MARK_PX = 11;

export class DistanceLabels {
  readonly #source = new VectorSource();
  readonly layer = new VectorLayer({ source: this.#source, zIndex: 40 });
  #lines: readonly MeasuredLine[] = [];
  #map: OlMap | null = null;

  install(map: OlMap): void {
    this.#map = map;
    const place = (): void => this.#place();
    map.on(['moveend', 'change:size'], place);
    map.getView().on('change:resolution', place);
  }

  draw(lines: readonly MeasuredLine[]): void {
    this.#lines = lines;
    this.#place();
  }

  #place(): void {
    this.#source.clear();
    const map = this.#map;
    const [width = 0, height = 0] = map?.getSize() ?? [];
    const target = map?.getTargetElement() ?? null;
    if (map === null || target === null || width * height === 0) return;
    const { toPixel, toCoordinate } = frameOf(map, { width, height });
    const wanted = this.#lines.map(({ line: [from = [], to = []], text }) => ({
      from: toPixel(from),
      to: toPixel(to),
      ...labelSize(text),
    }));
    const placed = placeLabels(wanted, { width, height }, [
      ...wanted.slice(0, 1).map(({ from }) => around(from)),
      ...roomsOver(target),
    ]);
    for (const [index, label] of placed.entries()) {
      const line = this.#lines[index];
      if (label === null || line === undefined) continue;
      const { rect, anchor } = label;
      const middle: Pixel = [rect.left + rect.width / 2, rect.top + rect.height / 2];
      const leader = [anchor, nearestOf(rect, anchor)].map(toCoordinate);
      this.#source.addFeatures([
        styled(new LineString(leader), leaderStyle(line.layer)),
        styled(new Point(toCoordinate(middle)), labelStyle(line.layer, line.text)),
      ]);
    }
    target.dataset['labels'] = JSON.stringify(placed.map((each) => each?.rect ?? null));
  }
}

/** As it is now, also before it has been drawn so. */
function frameOf(map: OlMap, { width, height }: { width: number; height: number }) {
  const view = map.getView();
  const [x = 0, y = 0] = view.getCenter() ?? [];
  const resolution = view.getResolution() ?? 1;
  return {
    toPixel: ([east = 0, north = 0]: readonly number[]): Pixel => [
      (east - x) / resolution + width / 2,
      (y - north) / resolution + height / 2,
    ],
    toCoordinate: ([across, down]: Pixel): number[] => [
      x + (across - width / 2) * resolution,
      y - (down - height / 2) * resolution,
    ],
  };
}

function around([x, y]: Pixel): Rect {
  return { left: x - MARK_PX, top: y - MARK_PX, width: 2 * MARK_PX, height: 2 * MARK_PX };
}

function roomsOver(target: HTMLElement): readonly Rect[] {
  const { left: x, top: y } = target.getBoundingClientRect();
  return [...(target.parentElement?.querySelectorAll<HTMLElement>(OVER_THE_MAP) ?? [])]
    .filter((element) => element.checkVisibility())
    .map((element) => element.getBoundingClientRect())
    .map(({ left, top, width, height }) => ({ left: left - x, top: top - y, width, height }));
}
