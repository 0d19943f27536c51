/** Pure, over counts. An operator may lift some guards for one run. */
import type { ContractChange } from '../src/layers/contract.ts';
import { isBroken } from '../src/layers/contract.ts';
import { memberOf } from '../src/layers/keys.ts';
import type { Guards } from '../src/layers/source.ts';

export interface Evidence {
  /** Distinct totals announced by the pages (`numberMatched`); empty when the server knows none. */
  readonly announced: readonly number[];
  readonly received: number;
  /** Members that the parser mapped, skipped or could not read. */
  readonly parsed: number;
  readonly mapped: number;
  readonly staged: number;
  readonly lostInRepair: number;
  readonly outsideDenmark: number;
  readonly distinctKeys: number;
  readonly doubledIds: readonly string[];
  readonly unreadable: number;
  readonly lostFeatures: number;
  /** Unreadable or empty features of unknown position (D143). */
  readonly unplaced: number;
  /** Total change by repairs, and total staged area, square metres; 0 for lines. */
  readonly repairedAreaM2: number;
  readonly areaM2: number;
  readonly lastGoodRows: number | null;
  readonly lastGoodAreaM2: number | null;
  readonly inserted: number;
  readonly changed: number;
  readonly removed: number;
  readonly columns: ContractChange;
  readonly placesAsked: number;
  readonly placesWrong: number;
  readonly canaryAsked: number;
  readonly canaryChanged: number;
}

export interface FileEvidence {
  readonly bytes: number | null;
  readonly minBytes: number;
  readonly generation: number;
  readonly lastGeneration: number | null;
}

const LISTING_GUARDS = ['listing'] as const;
/** The first cause comes first. */
const FILE_GUARDS = ['stub-file', 'generation'] as const;
const COPY_GUARDS = [
  'announced',
  'parsed',
  'staged',
  'duplicates',
  'empty',
  'min-rows',
  'schema',
  'issues',
  'lost-features',
  'unplaced',
  'outside-denmark',
  'known-places',
  'repair-area',
  'row-drop',
  'row-growth',
  'area-drop',
  'area-growth',
  'change-share',
  'canary',
] as const;
const TABLE_GUARDS = ['references'] as const;
export const GUARDS = [...LISTING_GUARDS, ...FILE_GUARDS, ...COPY_GUARDS, ...TABLE_GUARDS] as const;
export type Guard = (typeof GUARDS)[number];

/** A missing table, or rows lost in transfer: an operator cannot vouch for them. */
const FIXED_GUARDS = ['listing', 'parsed', 'staged'] as const satisfies readonly Guard[];
export type LiftableGuard = Exclude<Guard, (typeof FIXED_GUARDS)[number]>;

export const LIFTABLE_GUARDS: readonly LiftableGuard[] = GUARDS.filter(
  (guard): guard is LiftableGuard => !(FIXED_GUARDS as readonly string[]).includes(guard),
);

export const isLiftable = memberOf(LIFTABLE_GUARDS);

export interface Refusal {
  readonly guard: Guard;
  readonly message: string;
  readonly numbers: Readonly<Record<string, number>>;
}

/** First cause first, without lifted ones. */
export function check(
  evidence: Evidence,
  limits: Guards,
  lifted: readonly string[] = [],
): readonly Refusal[] {
  return COPY_GUARDS.flatMap((guard) =>
    refusalOf(guard, lifted, () => COPY_JUDGES[guard](evidence, limits)),
  );
}

export function checkFile(
  evidence: FileEvidence,
  lifted: readonly string[] = [],
): readonly Refusal[] {
  return FILE_GUARDS.flatMap((guard) =>
    refusalOf(guard, lifted, () => FILE_JUDGES[guard](evidence)),
  );
}

type Verdict = Omit<Refusal, 'guard'> | null;

function refusalOf(guard: Guard, lifted: readonly string[], judge: () => Verdict): Refusal[] {
  const verdict = lifted.includes(guard) && isLiftable(guard) ? null : judge();
  return verdict === null ? [] : [{ guard, ...verdict }];
}

const FILE_JUDGES: Readonly<
  Record<(typeof FILE_GUARDS)[number], (evidence: FileEvidence) => Verdict>
> = {
  'stub-file': ({ bytes, minBytes }) =>
    bytes === null || bytes >= minBytes
      ? null
      : refuse('The listed file is too small to be the table.', { bytes, minBytes }),

  generation: ({ generation, lastGeneration }) =>
    lastGeneration === null || generation >= lastGeneration
      ? null
      : refuse('The newest listed file is older than the one that was mirrored.', {
          generation,
          lastGeneration,
        }),
};

type CopyGuard = (typeof COPY_GUARDS)[number];

const COPY_JUDGES: Readonly<Record<CopyGuard, (evidence: Evidence, limits: Guards) => Verdict>> = {
  announced: ({ announced, received }) =>
    // An unknown total is not 0: then other guards must do.
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

  duplicates: ({ staged, distinctKeys, doubledIds }) =>
    distinctKeys === staged
      ? null
      : refuse(`Some ids are on more than one feature: ${doubledIds.join(', ')}`, {
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
    // Only `empty` handles zero rows, so that lifting it is enough.
    staged >= minRows || staged === 0
      ? null
      : refuse('The layer has fewer features than it can have.', { rows: staged, minRows }),

  schema: ({ columns }) => {
    if (!isBroken(columns)) return null;
    const { missing, retyped, drifting } = columns;
    const words = [
      ...named('missing', missing),
      ...named('of another type', retyped),
      ...named('of several types at once', drifting),
    ];
    return refuse(`The columns are not those the layer is read by: ${words.join('; ')}.`, {
      missing: missing.length,
      retyped: retyped.length,
      drifting: drifting.length,
    });
  },

  issues: ({ unreadable, lostInRepair, received }, { maxIssueShare }) =>
    unreadable + lostInRepair <= maxIssueShare * received
      ? null
      : refuse('Too many features are unreadable.', {
          issues: unreadable + lostInRepair,
          received,
          maxIssueShare,
        }),

  'lost-features': ({ lostFeatures }, { maxLostRows }) =>
    lostFeatures <= maxLostRows
      ? null
      : refuse('Rows in force came unreadable: without them their places would answer no.', {
          lostFeatures,
          maxLostRows,
        }),

  unplaced: ({ unplaced }, { maxLostRows }) =>
    unplaced <= maxLostRows
      ? null
      : refuse(
          'What cannot be read has no place, and its owner is unknown: there the answer would be no.',
          {
            unplaced,
            maxLostRows,
          },
        ),

  // One is enough: nothing of these registers lies elsewhere, so frame or axes are wrong.
  'outside-denmark': ({ outsideDenmark, received }) =>
    outsideDenmark === 0
      ? null
      : refuse('Features lie outside Denmark.', { outsideDenmark, received }),

  'known-places': ({ placesWrong, placesAsked, staged }) =>
    placesWrong === 0 || staged === 0
      ? null
      : refuse('Places do not lie in the areas they are known to lie in.', {
          placesWrong,
          placesAsked,
        }),

  'repair-area': ({ repairedAreaM2, areaM2 }, { maxRepairShare }) =>
    repairedAreaM2 <= maxRepairShare * areaM2
      ? null
      : refuse('Repairs of invalid geometry changed too much area.', {
          repairedAreaM2: Math.round(repairedAreaM2),
          areaM2: Math.round(areaM2),
          maxRepairShare,
        }),

  'row-drop': (evidence, { maxDropShare, changeFloorRows }) => {
    const { staged, lastGoodRows } = evidence;
    if (lastGoodRows === null || staged === 0) return null;
    const lost = lastGoodRows - staged;
    if (lost <= changeFloorRows || lost <= maxDropShare * lastGoodRows) return null;
    return refuse('The layer lost more rows than one run may bring.', {
      rows: staged,
      lastGoodRows,
      maxDropShare,
      changeFloorRows,
    });
  },

  'row-growth': ({ staged, lastGoodRows }, { maxGrowthShare, changeFloorRows }) => {
    // An empty layer may fill again.
    if (lastGoodRows === null || lastGoodRows === 0) return null;
    const gained = staged - lastGoodRows;
    if (gained <= changeFloorRows || gained <= maxGrowthShare * lastGoodRows) return null;
    return refuse('The layer gained more rows than one run may bring.', {
      rows: staged,
      lastGoodRows,
      maxGrowthShare,
      changeFloorRows,
    });
  },

  'area-drop': ({ staged, areaM2, lastGoodAreaM2 }, { maxAreaDropShare }) =>
    staged === 0 || movedBy(lastGoodAreaM2, areaM2) <= maxAreaDropShare
      ? null
      : areas('The layer lost more area than one run may bring.', {
          areaM2,
          lastGoodAreaM2,
          maxAreaDropShare,
        }),

  'area-growth': ({ areaM2, lastGoodAreaM2 }, { maxAreaGrowthShare }) =>
    -movedBy(lastGoodAreaM2, areaM2) <= maxAreaGrowthShare
      ? null
      : areas('The layer gained more area than one run may bring.', {
          areaM2,
          lastGoodAreaM2,
          maxAreaGrowthShare,
        }),

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

  canary: ({ canaryAsked, canaryChanged, staged }, { maxCanaryShare }) =>
    staged === 0 || canaryChanged <= maxCanaryShare * canaryAsked
      ? null
      : refuse('Too many points would be answered differently than now.', {
          canaryChanged,
          canaryAsked,
          maxCanaryShare,
        }),
};

/** Loss as a share; negative for a gain, 0 without a comparison. */
function movedBy(before: number | null, after: number): number {
  return before === null || before === 0 ? 0 : (before - after) / before;
}

function areas(message: string, numbers: Readonly<Record<string, number | null>>): Verdict {
  const whole = Object.entries(numbers).map(([name, value]) => [
    name,
    /M2$/.test(name) ? Math.round(value ?? 0) : (value ?? 0),
  ]);
  return refuse(message, Object.fromEntries(whole) as Record<string, number>);
}

const NAMES_SHOWN = 10;

function named(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : '';
  return [`${what}: ${names.slice(0, NAMES_SHOWN).join(', ')}${more}`];
}

function refuse(message: string, numbers: Readonly<Record<string, number>>): Verdict {
  return { message, numbers };
}
