/**
 * Live heights through the host's gate. Recent windows are cached; a failed one fails only its
 * points.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { Asker } from '../../kernel/deadline.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { heightBetween, placeIn } from '../../geo/heights.ts';
import type { FourHeights } from '../../geo/heights.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import type { TerrainModel, TerrainSource } from './terrain.ts';
import type { HostGate } from '../../wfs/hosts.ts';
import { UpstreamFailure } from '../../wfs/failure.ts';
import type { WcsClient } from './wcs-client.ts';
import { cellUnder, gridOf, holds, planWindows } from './windows.ts';
import type { PlacedCell, WindowCells } from './windows.ts';

export interface WcsHeight {
  readonly heightM: number | null;
  readonly resolutionM: number;
  /** null: just now. */
  readonly askedMs: number | null;
}

export interface TerrainWcsDeps {
  readonly source: TerrainSource;
  readonly client: Pick<WcsClient, 'fetchWindow'>;
  readonly gate: HostGate;
  readonly clock: Clock;
  readonly apiKey: string | null;
}

interface KeptWindow {
  readonly model: TerrainModel;
  readonly window: WindowCells;
  readonly askedMs: number;
  readonly heights: Float32Array;
}

interface Flight {
  readonly model: TerrainModel;
  readonly window: WindowCells;
  readonly landed: Promise<KeptWindow>;
}

export class TerrainWcs {
  readonly #deps: TerrainWcsDeps;
  readonly #kept = new KeptWindows();
  readonly #flights = new Set<Flight>();
  #cameMs: number | null = null;
  #failedMs: number | null = null;

  constructor(deps: TerrainWcsDeps) {
    this.#deps = deps;
  }

  view() {
    return { cameMs: this.#cameMs, failedMs: this.#failedMs };
  }

  async heightsAt(
    model: TerrainModel,
    points: readonly PointUtm32[],
    holder = '',
  ): Promise<readonly (WcsHeight | UpstreamFailure)[]> {
    const { source, clock } = this.#deps;
    const cells = points.map((point) => cellUnder(source, point));
    const nowMs = clock.nowMs();
    const found = cells.map((cell) => this.#kept.find(model, cell, nowMs));
    const isUnderWay = (cell: PlacedCell) => this.#flightOf(model, cell) !== null;
    const missing = cells.filter((cell, n) => found[n] === null && !isUnderWay(cell));
    if (missing.length > 0) this.#send(model, planWindows(missing), holder);
    const flights = cells.map((cell, n) =>
      found[n] === null ? this.#flightOf(model, cell) : null,
    );
    const landed = flights.map((flight) => flight?.landed.catch(failureOf) ?? null);
    return await Promise.all(
      points.map(async (point, n) => {
        const kept = found[n];
        if (kept) return this.#heightIn(kept, point, kept.askedMs);
        const window = await landed[n];
        if (!window) throw new Error('No window was asked for a point.');
        return window instanceof UpstreamFailure ? window : this.#heightIn(window, point, null);
      }),
    );
  }

  #flightOf(model: TerrainModel, cell: PlacedCell): Flight | null {
    for (const flight of this.#flights) {
      if (flight.model === model && holds(flight.window, cell)) return flight;
    }
    return null;
  }

  /** One wait in line for all. */
  #send(model: TerrainModel, windows: readonly WindowCells[], holder: string): void {
    const signal = AbortSignal.timeout(LIMITS.terrain.lineMs);
    for (const window of windows) {
      const flight = { model, window, landed: this.#fetch(model, window, { holder, signal }) };
      this.#flights.add(flight);
      const land = () => this.#flights.delete(flight);
      flight.landed.then(land, land);
    }
  }

  async #fetch(model: TerrainModel, window: WindowCells, asker: Asker): Promise<KeptWindow> {
    const { source, client, gate, clock, apiKey } = this.#deps;
    const grid = gridOf(source.grid, window);
    const askedMs = clock.nowMs();
    try {
      const ask = () => client.fetchWindow(source, { model, grid, apiKey });
      const heights = await gate.run(source.host, ask, asker);
      const kept = { model, window, askedMs, heights };
      this.#kept.put(kept);
      this.#cameMs = clock.nowMs();
      return kept;
    } catch (error) {
      const isOurs = error instanceof UpstreamFailure && error.isOurs;
      if (!isOurs) this.#failedMs = clock.nowMs();
      throw error;
    }
  }

  #heightIn(kept: KeptWindow, point: PointUtm32, askedMs: number | null): WcsHeight {
    const { window, heights } = kept;
    const grid = gridOf(this.#deps.source.grid, window);
    const place = placeIn(grid, point);
    const first = place.row * window.columns + place.column;
    const at = [first, first + 1, first + window.columns, first + window.columns + 1];
    const four = at.map((n) => heights[n] ?? NaN) as unknown as FourHeights;
    return {
      heightM: heightBetween(four, place, grid),
      resolutionM: Math.max(grid.cellX, grid.cellY),
      askedMs,
    };
  }
}

/** A programming error stays what it is. */
function failureOf(error: unknown): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  throw error;
}

class KeptWindows {
  readonly #windows = new Set<KeptWindow>();
  #bytes = 0;

  find(model: TerrainModel, cell: PlacedCell, nowMs: number): KeptWindow | null {
    for (const kept of this.#windows) {
      if (kept.model !== model || !holds(kept.window, cell)) continue;
      const isYoung = Math.abs(nowMs - kept.askedMs) < LIMITS.terrain.windowMs;
      this.#drop(kept);
      if (!isYoung) continue;
      // Now the most recently used.
      this.#add(kept);
      return kept;
    }
    return null;
  }

  put(kept: KeptWindow): void {
    this.#add(kept);
    const { windows, windowCacheBytes } = LIMITS.terrain;
    for (const oldest of this.#windows) {
      if (this.#windows.size <= windows && this.#bytes <= windowCacheBytes) return;
      this.#drop(oldest);
    }
  }

  #add(kept: KeptWindow): void {
    this.#windows.add(kept);
    this.#bytes += kept.heights.byteLength;
  }

  #drop(kept: KeptWindow): void {
    this.#windows.delete(kept);
    this.#bytes -= kept.heights.byteLength;
  }
}
