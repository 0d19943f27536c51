/**
 * The guards between a staged copy and its publication: pure, over counts. Each guard has a name an
 * operator can read in a refusal and, where a person can vouch for it, lift for one run.
 */
import type { Guards } from '../src/layers/source.ts';

/** What a run has counted by the time it may be judged. */
export interface Evidence {
  /** Distinct totals the pages announced (`numberMatched`); empty when the server knows none. */
  readonly announced: readonly number[];
  /** Members counted in the raw bytes of all pages. */
  readonly received: number;
  /** Members the parser accounted for: mapped, rightly skipped, or reported as unreadable. */
  readonly parsed: number;
  /** Features handed to the stage, and what became of them there. */
  readonly mapped: number;
  readonly staged: number;
  readonly lostInRepair: number;
  readonly outsideDenmark: number;
  readonly distinctKeys: number;
  /** Unreadable in the parser: no key, no geometry, a broken ring. */
  readonly unreadable: number;
  /** Rows of the published version; null before the first. */
  readonly lastGoodRows: number | null;
  readonly inserted: number;
  readonly changed: number;
  readonly removed: number;
}

export const GUARDS = [
  'announced',
  'parsed',
  'staged',
  'duplicates',
  'empty',
  'min-rows',
  'issues',
  'outside-denmark',
  'change-share',
] as const;
export type Guard = (typeof GUARDS)[number];

/**
 * Guards an operator may lift: facts about the source that a person can know better than we do.
 * The rest are rows lost or doubled on the way; no one can vouch for what is not there.
 */
export const LIFTABLE_GUARDS = [
  'announced',
  'empty',
  'min-rows',
  'issues',
  'outside-denmark',
  'change-share',
] as const satisfies readonly Guard[];
export type LiftableGuard = (typeof LIFTABLE_GUARDS)[number];

export function isLiftable(text: string): text is LiftableGuard {
  return (LIFTABLE_GUARDS as readonly string[]).includes(text);
}

/** Why a guard refused: its name, one sentence, and the numbers it compared. */
export interface Refusal {
  readonly guard: Guard;
  readonly message: string;
  readonly numbers: Readonly<Record<string, number>>;
}

/** Every guard that refuses this evidence, first cause first, lifted ones left out. */
export function check(
  evidence: Evidence,
  limits: Guards,
  lifted: readonly string[] = [],
): readonly Refusal[] {
  return GUARDS.flatMap((guard) => {
    const refusal =
      lifted.includes(guard) && isLiftable(guard) ? null : JUDGES[guard](evidence, limits);
    return refusal === null ? [] : [{ guard, ...refusal }];
  });
}

type Verdict = Omit<Refusal, 'guard'> | null;

const JUDGES: Readonly<Record<Guard, (evidence: Evidence, limits: Guards) => Verdict>> = {
  announced: ({ announced, received }) =>
    // An unknown total is not a total of 0: then other guards must do.
    announced.every((total) => total === received)
      ? null
      : refuse('The server announced another number of features than it delivered.', {
          leastAnnounced: Math.min(...announced),
          mostAnnounced: Math.max(...announced),
          received,
        }),

  parsed: ({ parsed, received }) =>
    parsed === received
      ? null
      : refuse('The parser did not account for every feature in the bytes.', { parsed, received }),

  staged: ({ mapped, staged, lostInRepair, outsideDenmark }) =>
    staged + lostInRepair + outsideDenmark === mapped
      ? null
      : refuse('The stage does not hold every feature that was handed to it.', {
          mapped,
          staged,
          lostInRepair,
          outsideDenmark,
        }),

  duplicates: ({ staged, distinctKeys }) =>
    distinctKeys === staged
      ? null
      : refuse('Some keys came more than once: pages overlap, so others may be missing.', {
          rows: staged,
          distinctKeys,
        }),

  empty: ({ staged, lastGoodRows }) =>
    staged > 0 || lastGoodRows === 0
      ? null
      : refuse('The layer came empty, and the last good copy was not.', {
          rows: staged,
          ...(lastGoodRows === null ? {} : { lastGoodRows }),
        }),

  'min-rows': ({ staged }, { minRows }) =>
    // Zero rows are the business of `empty` alone, so that lifting it is enough.
    staged >= minRows || staged === 0
      ? null
      : refuse('The layer has fewer features than it can have.', { rows: staged, minRows }),

  issues: ({ unreadable, lostInRepair, received }, { maxIssueShare }) =>
    unreadable + lostInRepair <= maxIssueShare * received
      ? null
      : refuse('Too many features are unreadable.', {
          issues: unreadable + lostInRepair,
          received,
          maxIssueShare,
        }),

  // One is enough: nothing of these registers lies elsewhere, so the frame or the axes are wrong.
  'outside-denmark': ({ outsideDenmark, received }) =>
    outsideDenmark === 0
      ? null
      : refuse('Features lie outside Denmark.', { outsideDenmark, received }),

  'change-share': (evidence, { maxChangeShare, changeFloorRows }) => {
    const { lastGoodRows, changed, removed, staged } = evidence;
    if (lastGoodRows === null || staged === 0) return null;
    const touched = changed + removed;
    if (touched <= changeFloorRows || touched <= maxChangeShare * lastGoodRows) return null;
    return refuse('More of the layer changed or disappeared than one run may bring.', {
      changed,
      removed,
      lastGoodRows,
      maxChangeShare,
      changeFloorRows,
    });
  },
};

function refuse(message: string, numbers: Readonly<Record<string, number>>): Verdict {
  return { message, numbers };
}
