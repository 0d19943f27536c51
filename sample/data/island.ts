/**
 * The lie of the land: Prøveholm and its three islets, invented, in open Kattegat 25 km north of
 * Anholt and 39 km south-east of Læsø. Everything else is placed on this ground.
 */
import type { Place, Position, Ring } from './geometry.ts';
import { at, position, ring } from './geometry.ts';
import type { Random } from './random.ts';
import { createRandom } from './random.ts';
import type { Cell, Edge } from './topology.ts';

export const CENTRE: Place = { x: 650_000, y: 6_314_000 };
/** Half the length and half the breadth of the main island, metres. */
const HALF_EAST_M = 5_500;
const HALF_NORTH_M = 4_200;

const SECTORS = 24;
/** Vertices of the main coast: one every 43 m or so. A multiple of SECTORS and of 3. */
export const COAST_VERTICES = 720;
/** Of an arc inland. */
const INNER_STEPS = 6;
/** Where the ring boundaries run, as shares of the way from the middle to the coast. */
const RING_SHARES = [0, 0.18, 0.42, 0.68, 1] as const;
const RINGS = RING_SHARES.length - 1;

/** The islets: a round coast each. */
export const ISLETS = {
  south: { centre: { x: 656_500, y: 6_311_000 }, radiusM: 400 },
  outer: { centre: { x: 643_000, y: 6_318_500 }, radiusM: 260 },
  beacon: { centre: { x: 643_800, y: 6_318_900 }, radiusM: 180 },
} as const satisfies Record<string, { centre: Place; radiusM: number }>;
export type Islet = keyof typeof ISLETS;
const ISLET_VERTICES = 48;

/**
 * Sites kept free of scattered features, so that what stands there is exactly what the examples
 * say. The radius exceeds the default search radius (500 m) by the reach of the exhibits.
 */
export const SITES = {
  forest: { x: 647_500, y: 6_314_000 },
  dyke: { x: 652_000, y: 6_315_200 },
  nature: { x: 651_500, y: 6_312_300 },
  quiet: { x: 648_600, y: 6_315_800 },
} as const satisfies Record<string, Place>;
export const SITE_RADIUS_M = 1_100;

/** The ground every layer is placed on. */
export interface Island {
  /** COAST_VERTICES positions, counter-clockwise from the east, not closed. */
  readonly coast: Ring;
  readonly isletCoasts: Readonly<Record<Islet, Ring>>;
  readonly cells: readonly Cell[];
}

export function raiseIsland(): Island {
  const random = createRandom('island');
  const wobble = (most: number) => 1 + random.between(-most, most);
  const coast = around(COAST_VERTICES, (angle) => placeInland(angle, wobble(0.0015)));
  const islet = (name: Islet): Ring => {
    const { centre, radiusM } = ISLETS[name];
    return around(ISLET_VERTICES, (angle) => {
      const radius = radiusM * wobble(0.03);
      return { x: centre.x + radius * Math.cos(angle), y: centre.y + radius * Math.sin(angle) };
    });
  };
  const isletCoasts = { south: islet('south'), outer: islet('outer'), beacon: islet('beacon') };
  const islets = (Object.keys(isletCoasts) as Islet[]).map((name) =>
    isletCell(name, isletCoasts[name]),
  );
  return { coast, isletCoasts, cells: [...latticeCells(coast, random), ...islets] };
}

/** Positions once round, from the east on, not closed. */
function around(vertices: number, placeAt: (angle: number) => Place): Position[] {
  return Array.from({ length: vertices }, (_, k) =>
    position(placeAt((2 * Math.PI * k) / vertices)),
  );
}

/** A place on land by direction (radians) and share of the way to the coast, wobble left out. */
export function placeInland(angle: number, share: number): Place {
  const reach = share * outline(angle);
  return {
    x: CENTRE.x + HALF_EAST_M * reach * Math.cos(angle),
    y: CENTRE.y + HALF_NORTH_M * reach * Math.sin(angle),
  };
}

/** The island seen from its middle: bays and points as a few waves. Star-shaped by construction. */
function outline(angle: number): number {
  return (
    1 +
    0.05 * Math.sin(2 * angle + 0.7) +
    0.04 * Math.sin(3 * angle + 2.1) +
    0.02 * Math.sin(7 * angle + 4.4)
  );
}

function isletCell(name: Islet, coast: Ring): Cell {
  const edge = { id: `coast-${name}`, from: name, to: name, line: ring(coast) };
  return { island: name, ring: 0, sector: 0, boundary: [{ edge, forward: true }] };
}

const nodeId = (level: number, sector: number): string => `${level}/${sector % SECTORS}`;

function latticeCells(coast: Ring, random: Random): Cell[] {
  const arcs = RING_SHARES.map((share, level) => {
    if (level === 0) return [];
    const isCoast = level === RINGS;
    const drawn = (angle: number) => placeInland(angle, share + random.between(-0.003, 0.003));
    return arcsOf(level, isCoast ? coast : around(SECTORS * INNER_STEPS, drawn));
  });
  const spokes = RING_SHARES.map((_, level) =>
    level === 0 || level === RINGS ? [] : spokesOut(level, arcs, random),
  );
  const disc: Cell = {
    island: 'main',
    ring: 0,
    sector: 0,
    boundary: at(arcs, 1).map((edge) => ({ edge, forward: true })),
  };
  const cells = [disc];
  for (let level = 1; level < RINGS; level++) {
    for (let sector = 0; sector < SECTORS; sector++) {
      cells.push({
        island: 'main',
        ring: level,
        sector,
        boundary: [
          { edge: at(at(spokes, level), sector), forward: true },
          { edge: at(at(arcs, level + 1), sector), forward: true },
          { edge: at(at(spokes, level), (sector + 1) % SECTORS), forward: false },
          { edge: at(at(arcs, level), sector), forward: false },
        ],
      });
    }
  }
  return cells;
}

/** A ring boundary in as many arcs as there are sectors. */
function arcsOf(level: number, line: Ring): Edge[] {
  const closed = ring(line);
  const steps = line.length / SECTORS;
  return Array.from({ length: SECTORS }, (_, sector) => ({
    id: `arc-${level}-${sector}`,
    from: nodeId(level, sector),
    to: nodeId(level, sector + 1),
    line: closed.slice(sector * steps, (sector + 1) * steps + 1),
  }));
}

/** Boundaries that run outward from one ring boundary to the next, wavering up to 25 m aside. */
function spokesOut(level: number, arcs: readonly Edge[][], random: Random): Edge[] {
  const steps = 10;
  return Array.from({ length: SECTORS }, (_, sector) => {
    const from = at(at(at(arcs, level), sector).line, 0);
    const to = at(at(at(arcs, level + 1), sector).line, 0);
    const [fromX, fromY, toX, toY] = [at(from, 0), at(from, 1), at(to, 0), at(to, 1)];
    const length = Math.hypot(toX - fromX, toY - fromY);
    const between = Array.from({ length: steps - 1 }, (_unused, i) => {
      const share = (i + 1) / steps;
      const aside = random.between(-25, 25) / length;
      return position({
        x: fromX + (toX - fromX) * share - (toY - fromY) * aside,
        y: fromY + (toY - fromY) * share + (toX - fromX) * aside,
      });
    });
    return {
      id: `spoke-${level}-${sector}`,
      from: nodeId(level, sector),
      to: nodeId(level + 1, sector),
      line: [from, ...between, to],
    };
  });
}
