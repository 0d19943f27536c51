/** From a seed to a case: the same seed and number always make the same case. */
import { allLayers } from '../../src/layers/catalogue.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { LINE_KEYS, THEMES, isAreaId, isLineKey } from '../../src/layers/keys.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { createRandom } from '../../sample/data/random.ts';
import type { Random } from '../../sample/data/random.ts';
import { MATRIX } from './matrix.ts';
import { FAMILIES, allowed, familyOf } from './matrix-terms.ts';
import type { Family, MatrixRow, Rule } from './matrix-terms.ts';

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
  /** Nothing of the layer is mirrored before. Rows of what is broken, on lines only. */
  readonly first: boolean;
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
  readonly guards?: readonly string[];
  /** The lookup spent all of its time. */
  readonly late?: boolean;
  readonly findings: readonly Finding[];
}

/** Lines of at most so many rows in the sample are synced twice as often. */
const SMALL_ROWS = 30;

/**
 * Every layer that memory holds; conditions have faults of their own (test/store-contract). What is tried is the
 * path, not the size: small ones stand twice.
 */
const SYNC_LAYERS: readonly LayerId[] = allLayers(sampleCatalogue('http://localhost')).flatMap(
  ({ id, register, guards: { minRows } }) => {
    if (register === 'forhold') return [];
    return register === 'building-lines' && minRows <= SMALL_ROWS ? [id, id] : [id];
  },
);

/** Share of the cases that are syncs, once every cell of the matrix has had its turn. */
export const SYNC_SHARE = 0.04;

export interface Draw {
  readonly seed: number;
}

/** A cell of the matrix that promises something: a fault on a rung of a family of layers. */
interface MatrixCell {
  readonly row: MatrixRow;
  readonly rung: Case['rung'];
  readonly family: Family;
}

const LAYERS_BY_RUNG: Readonly<Record<Case['rung'], readonly LayerId[]>> = {
  sync: SYNC_LAYERS,
  line: LINE_KEYS,
  area: THEMES,
};

/** Every one of them: the first so many numbers of any seed try each once, in an order of its own. */
export const CELLS: readonly MatrixCell[] = MATRIX.flatMap((row) =>
  (['sync', 'line', 'area'] as const).flatMap((rung) =>
    FAMILIES.filter((family) => {
      const layers = LAYERS_BY_RUNG[rung].filter((layer) => familyOf(layer) === family);
      return layers.length > 0 && allowed<string>(row[rung], family) !== null;
    }).map((family) => ({ row, rung, family })),
  ),
);

/** What a number stands for, whatever the count of the play. */
export function drawCase({ seed }: Draw, number: number): Case {
  const draw = createRandom(`${seed}/${number}`);
  const cell = number <= CELLS.length ? orderOf(seed)[number - 1] : undefined;
  const rung = cell?.rung ?? (draw.chance(SYNC_SHARE) ? 'sync' : draw.pick(LIVE_RUNGS));
  const layers = LAYERS_BY_RUNG[rung];
  const layer = draw.pick(
    cell === undefined ? layers : layers.filter((one) => familyOf(one) === cell.family),
  );
  const rows = MATRIX.filter((row) => allowed<string>(row[rung], familyOf(layer)) !== null);
  const base = { number, row: cell?.row ?? draw.pick(rows), layer, draw };
  return rung === 'sync' ? syncCase(base) : liveCase({ ...base, rung });
}

const LIVE_RUNGS = ['line', 'line', 'line', 'area'] as const;

function orderOf(seed: number): readonly MatrixCell[] {
  if (lastOrder?.seed !== seed) {
    const random = createRandom(`cells ${seed}`);
    const keyed = CELLS.map((cell) => ({ cell, at: random.between(0, 1) }));
    const cells = keyed.sort((a, b) => a.at - b.at).map(({ cell }) => cell);
    lastOrder = { seed, cells };
  }
  return lastOrder.cells;
}

let lastOrder: { readonly seed: number; readonly cells: readonly MatrixCell[] } | null = null;

type Base = Omit<CaseBase, 'rules'>;

function syncCase(base: Base): SyncCase {
  const { row, layer, draw } = base;
  const changes = isAreaId(layer)
    ? (['nothing', 'nothing', 'attribute'] as const)
    : (['nothing', 'nothing', 'nothing', 'attribute', 'moved', 'removed'] as const);
  const change = draw.pick(changes);
  const rules = row.rules(draw, layer);
  const first = row.broken === true && isLineKey(layer) && draw.chance(0.5);
  return { ...base, rung: 'sync', change, first, rules };
}

function liveCase(base: Base & { readonly rung: LiveCase['rung'] }): LiveCase {
  const { row, layer, draw, rung } = base;
  const area = rung === 'area';
  const copies = ['none', 'none', 'stale', 'expired'] as const;
  const copy = draw.pick(row.withCopy === true ? (['stale', 'expired'] as const) : copies);
  return {
    ...base,
    rules: row.rules(draw, layer),
    copy,
    // By code only one theme is asked; with no copy at all, areas at a point are asked of all six.
    alone: row.deaf === true || row.afterRefusal === true || draw.chance(area ? 0.8 : 0.98),
    byCode: area && row.byPoint !== true && draw.chance(0.6),
  };
}

/** One line a person can read; with the seed and the number it can be played again. */
export function describeCase(given: Case): string {
  const { number, rung, row, layer, rules } = given;
  const more =
    given.rung === 'sync'
      ? `source: ${given.change}${given.first ? ', first copy' : ''}`
      : `copy: ${given.copy}`;
  return `case ${number}: ${row.id} on ${rung} of ${layer} (${more}) ${JSON.stringify(rules)}`;
}
