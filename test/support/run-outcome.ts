import type { RunOutcome } from '../../sync/deps.ts';

/** How a run ended: by which guards, or in which phase and why. */
export function told(outcome: RunOutcome | undefined): string {
  if (outcome?.state === 'failed') return `failed in ${outcome.phase}: ${outcome.reason}`;
  if (outcome?.state !== 'refused') return outcome?.state ?? 'none';
  return `refused: ${outcome.refusals.map(({ guard }) => guard).join(', ')}`;
}

/** What a run would have published, or did. */
export function countsOf(outcome: RunOutcome) {
  if (!('counts' in outcome)) throw new Error(told(outcome));
  return outcome.counts;
}
