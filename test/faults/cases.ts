/** From a seed to a case: the same seed and number always make the same case. */
import type { LayerId } from '../../src/layers/keys.ts';
import { LINE_KEYS, THEMES, isTheme } from '../../src/layers/keys.ts';
import { createRandom } from '../../sync/sample/data/random.ts';
import type { Random } from '../../sync/sample/data/random.ts';
import { MATRIX } from './matrix.ts';
import { allowed, familyOf } from './matrix-terms.ts';
import type { MatrixRow, Rule } from './matrix-terms.ts';

interface CaseBase {
  readonly number: number;
  readonly row: MatrixRow;
  readonly layer: LayerId;
  readonly rules: readonly Rule[];
  /** The rest of the case's chance. */
  readonly draw: Random;
}

export interface LiveCase extends CaseBase {
  readonly rung: 'line' | 'area';
  /** The mirror's own copy: none, past its freshness limit, past its hard limit. */
  readonly copy: 'none' | 'stale' | 'expired';
  /** Only the spoiled layer is asked of the register. */
  readonly alone: boolean;
  /** Areas: by code, else by point. */
  readonly byCode: boolean;
}

export interface SyncCase extends CaseBase {
  readonly rung: 'sync';
  /** What happened at the source since the last run, beside the fault. */
  readonly change: 'nothing' | 'attribute' | 'moved' | 'removed';
}

export type Case = LiveCase | SyncCase;

/**
 * false: a yes or no, a count or a distance that is not true. empty: nothing, read as measured.
 * partial: a copy that is neither the old version nor the source's. leak: a key said somewhere.
 * off-table: harmless, but not what the matrix promises.
 */
export interface Finding {
  readonly kind: 'false' | 'empty' | 'partial' | 'leak' | 'off-table';
  readonly detail: string;
}

/** What a case came to: how it ended, and what is wrong with that. */
export interface Ended {
  readonly outcome: string;
  readonly findings: readonly Finding[];
}

/** Small layers are synced more often: what is tried is the path, not the size. */
const SYNC_LAYERS: readonly LayerId[] = [
  ...['kirke', 'kirke', 'aa', 'aa', 'klitfredning', 'klitfredning', 'soe', 'vandloeb'],
  ...['skov', 'strandbeskyttelse', 'fortidsminde', 'dige', 'natur', 'kommune', 'sogn'],
  ...['region', 'retskreds', 'politikreds', 'opstillingskreds'],
] as LayerId[];

export interface Draw {
  readonly seed: number;
  /** Share of the cases that are syncs. */
  readonly syncShare: number;
}

export function drawCase({ seed, syncShare }: Draw, number: number): Case {
  const draw = createRandom(`${seed}/${number}`);
  return draw.chance(syncShare) ? syncCase(draw, number) : liveCase(draw, number);
}

function syncCase(draw: Random, number: number): SyncCase {
  const layer = draw.pick(SYNC_LAYERS);
  const row = draw.pick(MATRIX.filter(({ sync }) => allowed(sync, familyOf(layer)) !== null));
  const changes = isTheme(layer)
    ? (['nothing', 'nothing', 'attribute'] as const)
    : (['nothing', 'nothing', 'nothing', 'attribute', 'moved', 'removed'] as const);
  const change = draw.pick(changes);
  return { number, rung: 'sync', row, layer, change, rules: row.rules(draw, layer), draw };
}

function liveCase(draw: Random, number: number): LiveCase {
  const area = draw.chance(0.25);
  const layer: LayerId = area ? draw.pick(THEMES) : draw.pick(LINE_KEYS);
  const rows = MATRIX.filter(
    (row) => allowed(area ? row.area : row.line, familyOf(layer)) !== null,
  );
  const row = draw.pick(rows);
  const copy = draw.pick(['none', 'none', 'stale', 'expired'] as const);
  return {
    number,
    rung: area ? 'area' : 'line',
    row,
    layer,
    rules: row.rules(draw, layer),
    copy,
    // By code only one theme is asked; with no copy at all, areas at a point are asked of all six.
    alone: row.deaf === true || draw.chance(area ? 0.8 : 0.98),
    byCode: area && row.byPoint !== true && draw.chance(0.6),
    draw,
  };
}

/** One line a person can read; with the seed and the number it can be played again. */
export function describeCase(given: Case): string {
  const { number, rung, row, layer, rules } = given;
  const more = given.rung === 'sync' ? `source: ${given.change}` : `copy: ${given.copy}`;
  return `case ${number}: ${row.id} on ${rung} of ${layer} (${more}) ${JSON.stringify(rules)}`;
}
