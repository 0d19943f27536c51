/** Of distances, without overlap. Pure; in pixels. */

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type Pixel = readonly [x: number, y: number];

/** For the segment from the place to its foot. */
export interface WantedLabel {
  readonly from: Pixel;
  readonly to: Pixel;
  readonly width: number;
  readonly height: number;
}

export interface PlacedLabel {
  readonly rect: Rect;
  /** The end of what is seen of the segment. */
  readonly anchor: Pixel;
}

/** Pixels around a label. */
const GAP = 3;
/** Pixels between the rings tried around an anchor; places on each. */
const STEP = 8;
const TURNS = 16;

/**
 * As near to the far end of each segment as there is room, in the given order. null: not visible,
 * or no room.
 */
export function placeLabels(
  wanted: readonly WantedLabel[],
  { width, height }: { readonly width: number; readonly height: number },
  taken: readonly Rect[],
): readonly (PlacedLabel | null)[] {
  const view: Rect = { left: 0, top: 0, width, height };
  const full = [...taken];
  return wanted.map((label) => {
    const anchor = lastSeen(label.from, label.to, view);
    if (anchor === null) return null;
    for (const rect of candidates(label, anchor, Math.hypot(width, height))) {
      if (!isInside(rect, view) || full.some((other) => overlap(rect, other))) continue;
      full.push(rect);
      return { rect, anchor };
    }
    return null;
  });
}

/** Beyond the anchor as the segment goes, then ever farther around it. */
function* candidates(
  { from, to, width, height }: WantedLabel,
  [x, y]: Pixel,
  reach: number,
): Generator<Rect> {
  const ahead = Math.atan2(to[1] - from[1], to[0] - from[0]);
  for (let away = GAP; away <= reach; away += STEP) {
    for (let turn = 0; turn < TURNS; turn++) {
      // Ahead, then to either side by turns, and last behind.
      const side = turn % 2 === 0 ? turn / 2 : -(turn + 1) / 2;
      const angle = ahead + (side * 2 * Math.PI) / TURNS;
      const [across, down] = [Math.cos(angle), Math.sin(angle)];
      yield {
        left: x + across * (away + width / 2) - width / 2,
        top: y + down * (away + height / 2) - height / 2,
        width,
        height,
      };
    }
  }
}

/** Where it ends or leaves the view; null: none of it is in view. */
function lastSeen([ax, ay]: Pixel, [bx, by]: Pixel, view: Rect): Pixel | null {
  const [dx, dy] = [bx - ax, by - ay];
  let [enter, leave] = [0, 1];
  for (const [start, step, size] of [
    [ax, dx, view.width],
    [ay, dy, view.height],
  ] as const) {
    if (step === 0) {
      if (start < 0 || start > size) return null;
      continue;
    }
    const [near, far] = [-start / step, (size - start) / step].toSorted((a, b) => a - b);
    enter = Math.max(enter, near ?? 0);
    leave = Math.min(leave, far ?? 1);
  }
  return enter > leave ? null : [ax + dx * leave, ay + dy * leave];
}

function isInside(rect: Rect, view: Rect): boolean {
  return (
    rect.left >= 0 &&
    rect.top >= 0 &&
    rect.left + rect.width <= view.width &&
    rect.top + rect.height <= view.height
  );
}

function overlap(a: Rect, b: Rect): boolean {
  return (
    a.left < b.left + b.width + GAP &&
    b.left < a.left + a.width + GAP &&
    a.top < b.top + b.height + GAP &&
    b.top < a.top + a.height + GAP
  );
}

export function nearestOf({ left, top, width, height }: Rect, [x, y]: Pixel): Pixel {
  return [Math.min(left + width, Math.max(left, x)), Math.min(top + height, Math.max(top, y))];
}
