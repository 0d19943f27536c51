/** Announced by an operator in the settings before any file has them. */
import { instantOf } from './mappings/times.ts';

export interface Announcement {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly ends: readonly string[];
  /** Codes that replace them; null: not known yet. */
  readonly begins: readonly (string | null)[];
}

/** A date alone is midnight in Copenhagen. Throws an Error with one explaining sentence. */
export function readAnnouncements(given: readonly Announcement[]): readonly Announcement[] {
  const read = given.map(({ at, ends, begins }) => {
    const instant = instantOf(at);
    if (instant === null) {
      throw new Error(`at: ${JSON.stringify(at.slice(0, 40))} is no date and no time.`);
    }
    if (ends.length + begins.length === 0)
      throw new Error(`${at}: nothing ends and nothing begins.`);
    const both = ends.find((code) => begins.includes(code));
    if (both !== undefined) throw new Error(`${at}: ${both} cannot both end and begin.`);
    return { at: instant, ends: [...new Set(ends)], begins: [...begins] };
  });
  const twice = read.find(({ at }, i) => read.findIndex((other) => other.at === at) !== i);
  if (twice !== undefined) throw new Error(`${twice.at} is announced twice.`);
  return read;
}
