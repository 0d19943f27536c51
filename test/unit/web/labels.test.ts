/** Labels of measured distances: none over another, all that is seen has one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeLabels } from '../../../src/web/kort/labels.ts';
import type { Pixel, Rect, WantedLabel } from '../../../src/web/kort/labels.ts';

const SIZE = { width: 64, height: 17 };
const PHONE = { width: 390, height: 500 };
const SHEET = { width: 703, height: 254 };
const MIDDLE = (view: typeof PHONE): Pixel => [view.width / 2, view.height / 2];
/** What stands over the map's corners. */
const TAKEN: readonly Rect[] = [
  { left: 8, top: 8, width: 34, height: 66 },
  { left: 8, top: 230, width: 142, height: 20 },
];

const overlap = (a: Rect, b: Rect): boolean =>
  a.left < b.left + b.width &&
  b.left < a.left + a.width &&
  a.top < b.top + b.height &&
  b.top < a.top + a.height;

const wantedAt = (from: Pixel, to: Pixel): WantedLabel => ({ from, to, ...SIZE });

describe('labels of distances', () => {
  test.each([
    ['a phone', PHONE],
    ['a sheet of A4', SHEET],
  ])('of ten lines have room on %s, and none lies over another', (_name, view) => {
    const across = fc.double({ min: -200, max: view.width + 200, noNaN: true });
    const down = fc.double({ min: -200, max: view.height + 200, noNaN: true });
    const feet = fc.array(fc.tuple(across, down), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(feet, (ends) => {
        const wanted = ends.map((end) => wantedAt(MIDDLE(view), end));
        const placed = placeLabels(wanted, view, TAKEN).map((each) => each?.rect);
        const rects = placed.filter((rect) => rect !== undefined);
        expect(rects).toHaveLength(ends.length);
        for (const [index, rect] of rects.entries()) {
          expect(rect.left).toBeGreaterThanOrEqual(0);
          expect(rect.top).toBeGreaterThanOrEqual(0);
          expect(rect.left + rect.width).toBeLessThanOrEqual(view.width);
          expect(rect.top + rect.height).toBeLessThanOrEqual(view.height);
          for (const other of [...TAKEN, ...rects.slice(0, index)])
            expect(overlap(rect, other)).toBe(false);
        }
      }),
    );
  });

  test('stand at the far end, beyond it as the line goes', () => {
    const [label] = placeLabels([wantedAt([100, 100], [200, 100])], PHONE, []);
    expect(label?.anchor).toEqual([200, 100]);
    expect(label?.rect.left).toBeGreaterThan(200);
    expect(label?.rect.left).toBeLessThan(210);
  });

  test('stand where the line leaves the view, and not at all where nothing of it is seen', () => {
    const view = PHONE;
    const [leaving, unseen] = placeLabels(
      [wantedAt([195, 250], [1_195, 250]), wantedAt([-300, 250], [-20, 100])],
      view,
      [],
    );
    expect(leaving?.anchor).toEqual([390, 250]);
    expect(unseen).toBeNull();
  });

  test('stand around feet that are one point', () => {
    const wanted = Array.from({ length: 10 }, () => wantedAt([195, 250], [200, 255]));
    const rects = placeLabels(wanted, PHONE, []).map((each) => each?.rect);
    expect(new Set(rects.map((rect) => JSON.stringify(rect))).size).toBe(10);
  });
});
