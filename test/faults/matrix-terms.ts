/** The terms of the matrix: families of layers, outcomes, and the cells most rows share. */
import { layerOf } from '../../src/layers/catalogue.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import type { Random } from '../../sample/data/random.ts';
import type { LiftableGuard } from '../../sync/check.ts';
import type { FaultRule } from '../../sample/fault-plan.ts';

/** Layers that are asked and answered in the same way. */
export const FAMILIES = ['portal areas', 'portal lines', 'heritage', 'cadastre', 'dagi'] as const;
export type Family = (typeof FAMILIES)[number];

export function familyOf(layer: LayerId): Family {
  const { geometry, source } = layerOf(REGISTERS_CATALOGUE, layer);
  const { host } = source;
  if (host === 'cadastre' || host === 'heritage' || host === 'dagi') return host;
  // Hosts of conditions alone are asked as the portal is.
  return host === 'portal' && geometry === 'line' ? 'portal lines' : 'portal areas';
}

/**
 * What a sync may do. true: it mirrors what the source really holds, to the last row. refused: a
 * guard named why. failed: the reading broke. After the last two the version before stays, untouched.
 */
export type SyncOutcome = 'true' | 'refused' | 'failed';

/**
 * What a live lookup may do. true: the right answer. unavailable: no answer from the register, so
 * `utilgaengelig` for a line and 503 for areas, or an old copy that says it is one.
 */
export type LiveOutcome = 'true' | 'unavailable';

type Outcomes<O> = readonly [O, ...O[]];

/**
 * The outcomes allowed, by family where they differ. null: nothing tells the fault from a real
 * change at the register, so the answer is the register's own word and no case is made of it.
 */
export type Cell<O> =
  | Outcomes<O>
  | null
  | ({ readonly others: Outcomes<O> } & { readonly [F in Family]?: Outcomes<O> });

export function allowed<O>(cell: Cell<O>, family: Family): Outcomes<O> | null {
  if (cell === null || Array.isArray(cell)) return cell as Outcomes<O> | null;
  const byFamily = cell as Extract<Cell<O>, { others: unknown }>;
  return byFamily[family] ?? byFamily.others;
}

/** A rule but for the layer, which the simulator picks. */
export type Rule = Omit<FaultRule, 'layer' | 'host'>;

export interface MatrixRow {
  readonly id: string;
  readonly about: string;
  readonly rules: (draw: Random, layer: LayerId) => readonly Rule[];
  /** The time-outs of the case are short: the fault is about waiting. */
  readonly hasty?: true;
  readonly deaf?: true;
  /**
   * Nothing tells the fault from the register's own word: a yes or no is held against what is served,
   * by one rule for mirror and live answer (a ring that crosses itself is read even-odd).
   */
  readonly served?: true;
  /**
   * Features that cannot be read: a copy without them is published, with the places that they lie in (D143),
   * over a copy or as the first one. Every answer, inside them, on them and around, is then the source's own
   * or none.
   */
  readonly broken?: true;
  /**
   * Believed live as far as the guards of a run let the register lose and gain rows, and held against
   * what is served then; otherwise not.
   */
  readonly byTotal?: true;
  /** Makes no sense of a layer that was never mirrored. */
  readonly withCopy?: true;
  /** The layer's latest run was refused before the register is asked live. */
  readonly afterRefusal?: true;
  /** The settings let the layer come with any number of rows. */
  readonly anyRows?: true;
  /** Guards released for the sync, so that the one behind them is what refuses. */
  readonly released?: readonly LiftableGuard[];
  /** Areas are asked for by point only: by code, the register's word is all there is. */
  readonly byPoint?: true;
  readonly sync: Cell<SyncOutcome>;
  readonly line: Cell<LiveOutcome>;
  readonly area: Cell<LiveOutcome>;
}

/** A row whose rules are always the same, or drawn for each case. */
export function row(
  id: string,
  about: string,
  cells: Omit<MatrixRow, 'id' | 'about' | 'rules'>,
  ...rules: readonly Rule[] | readonly [MatrixRow['rules']]
): MatrixRow {
  const [drawn] = rules;
  const isDrawn = typeof drawn === 'function';
  return { id, about, rules: isDrawn ? drawn : () => rules as readonly Rule[], ...cells };
}

type Sync = readonly [SyncOutcome, ...SyncOutcome[]];
type Live = readonly [LiveOutcome, ...LiveOutcome[]];

export const MIRRORED: Sync = ['true'];
export const REFUSED: Sync = ['refused'];
export const FAILED: Sync = ['failed'];
/** The version before stays; which of two nets catches it depends on the case. */
export const KEPT: Sync = ['refused', 'failed'];
/** Harmless where it touches nothing (one page, no such feature), else the version before stays. */
export const MIRRORED_OR_KEPT: Sync = ['true', 'refused', 'failed'];

export const ANSWERED: Live = ['true'];
export const UNAVAILABLE: Live = ['unavailable'];
/** Answered where it touches nothing of the window asked for. */
export const ANSWERED_OR_UNAVAILABLE: Live = ['true', 'unavailable'];

export const HARMLESS = { sync: MIRRORED, line: ANSWERED, area: ANSWERED } as const;
/** Nothing is read at all. */
export const FATAL = { sync: FAILED, line: UNAVAILABLE, area: UNAVAILABLE } as const;
/** Depends on where in the answer it strikes. */
export const PARTLY_FATAL = {
  sync: ['failed', 'true'],
  line: ANSWERED_OR_UNAVAILABLE,
  area: ANSWERED_OR_UNAVAILABLE,
} as const satisfies { sync: Sync; line: Live; area: Live };
/** Spoils features: those it does not touch are answered, and a copy with holes is not published. */
export const SPOILING = {
  sync: MIRRORED_OR_KEPT,
  line: ANSWERED_OR_UNAVAILABLE,
  area: ANSWERED_OR_UNAVAILABLE,
} as const;
