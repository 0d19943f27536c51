import { parseArgs } from 'node:util';
import type { Catalogue } from '../src/layers/catalogue.ts';
import { MIRROR_IDS, isMirrorId } from '../src/layers/mirror-ids.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import { statusOf } from '../src/ops/freshness.ts';
import type { LayerHealth, LayerStatus, ServiceStatus } from '../src/ops/freshness.ts';

/** The worst layer decides. `unknown`: nothing could be read, or the arguments are wrong. */
export const EXIT = { fresh: 0, delayed: 1, failed: 2, missing: 3, unknown: 4 } as const;

export interface FreshnessCommand {
  readonly layers: readonly MirrorId[];
  readonly json: boolean;
}

export type Parsed =
  | { readonly kind: 'run'; readonly command: FreshnessCommand }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string };

export const USAGE = `Usage: npm run freshness [-- --json] [--layer x]…

  --layer   only this layer; may be given several times
  --json    one JSON object on standard output

Reads the store itself, beside a running service or without one; changes nothing.
Exit code: 0 every layer is fresh, 1 one is late, 2 the last run of one failed or was refused,
3 one was never mirrored; the worst counts. 4 the store could not be read or the command was not
understood.`;

/** Never throws. */
export function parseFreshness(argv: readonly string[]): Parsed {
  let values: { layer: string[]; json: boolean; help: boolean };
  try {
    ({ values } = parseArgs({
      args: [...argv],
      options: {
        layer: { type: 'string', multiple: true, default: [] },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }));
  } catch (error) {
    return { kind: 'mistake', message: (error as Error).message };
  }
  if (values.help) return { kind: 'help' };
  const unknown = values.layer.filter((name) => !isMirrorId(name));
  if (unknown.length > 0) {
    const message = `Unknown layer: ${unknown.join(', ')}. Layers: ${MIRROR_IDS.join(', ')}.`;
    return { kind: 'mistake', message };
  }
  const layers = MIRROR_IDS.filter((id) => values.layer.length === 0 || values.layer.includes(id));
  return { kind: 'run', command: { layers, json: values.json } };
}

export function neverMirrored(catalogue: Catalogue): ServiceStatus {
  return statusOf({ generation: 0, layers: new Map() }, catalogue, 0);
}

export function exitCodeOf({ layers }: ServiceStatus): number {
  return Math.max(EXIT.fresh, ...layers.map(({ state }) => EXIT[state]));
}

export function freshnessTable({ generation, layers }: ServiceStatus): string {
  const rows = layers.map((layer) => [
    WORDS[layer.state],
    layer.layer,
    layer.ageS === null ? '-' : spanOf(layer.ageS),
    spanOf(layer.limitS),
    layer.rowCount === null ? '-' : layer.rowCount.toLocaleString('en'),
    layer.version === null ? '-' : String(layer.version),
    `${layer.syncedAt ?? 'never'}${layer.heldSince === null ? '' : ' (held)'}`,
  ]);
  const lines = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((row) => row[column]?.length ?? 0)));
  const text = lines.map((row) =>
    row
      .map((cell, column) =>
        RIGHT.has(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return [...text, '', `${summaryOf(layers)}. Generation ${generation}.`].join('\n');
}

const HEAD = ['STATE', 'LAYER', 'AGE', 'LIMIT', 'ROWS', 'VERSION', 'SYNCED'];
const RIGHT: ReadonlySet<number> = new Set([2, 3, 4, 5]);

const WORDS: Readonly<Record<LayerHealth, string>> = {
  fresh: 'fresh',
  delayed: 'LATE',
  failed: 'FAILED',
  missing: 'NEVER',
};

function summaryOf(layers: readonly LayerStatus[]): string {
  const parts = (['fresh', 'delayed', 'failed', 'missing'] as const).flatMap((state) => {
    const count = layers.filter((layer) => layer.state === state).length;
    return count === 0 ? [] : [`${count} ${SAID[state]}`];
  });
  return parts.join(', ');
}

const SAID: Readonly<Record<LayerHealth, string>> = {
  fresh: 'fresh',
  delayed: 'late',
  failed: 'failed',
  missing: 'never mirrored',
};

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

/** In the two largest useful units: `3 d 5 h`, `12 min`. */
export function spanOf(seconds: number): string {
  if (seconds < MINUTE_S) return `${seconds} s`;
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)} min`;
  const [big, small, unit, part] =
    seconds < DAY_S ? [HOUR_S, MINUTE_S, 'h', 'min'] : [DAY_S, HOUR_S, 'd', 'h'];
  const rest = Math.floor((seconds % big) / small);
  return `${Math.floor(seconds / big)} ${unit}${rest === 0 ? '' : ` ${rest} ${part}`}`;
}
