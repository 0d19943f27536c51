import type { RunOutcome } from '../../sync/deps.ts';

/** How a run ended, and by which guards. */
export function told(outcome: RunOutcome | undefined): string {
  if (outcome?.state !== 'refused') return outcome?.state ?? 'none';
  return `refused: ${outcome.refusals.map(({ guard }) => guard).join(', ')}`;
}
