import type { Run } from '../../deps.ts';

type Read = Pick<Run, 'counts' | 'layer' | 'replay'>;

/** The run read all announcements: an area's WFS has none, a replay those of its time. */
export function tellsAhead({ counts, layer, replay }: Read): boolean {
  return (
    replay === null && (counts.source === 'files' || (!layer.dated && counts.source === 'wfs'))
  );
}

/**
 * Rows as a live lookup counts them; null: unknown. Of what has scales, only those of the mirrored
 * one. A line's own dates say nothing of its source.
 */
export function sourceRowsOf({ layer, counts }: Omit<Read, 'replay'>): number | null {
  const { source, staged, received } = counts;
  return layer.dated ? staged : source && received;
}
