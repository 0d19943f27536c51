/** What lines near the border of the covered land may report (D142). Runs in threads too. */
import type { Land } from '../../geo/land.ts';
import { worthOf } from '../../geo/unanswered.ts';
import type { BuildingLinesAnswer, LineAnswer, UnavailableLine } from '../../answers/answer.ts';
import type { LineKey } from '../../layers/keys.ts';
import type { Lands } from '../../core/land/covered-lands.ts';

export function outsideLand(line: LineKey, { name }: Land): UnavailableLine {
  return { status: 'unavailable', line, covered: name };
}

/** Returns the same object where nothing changes. */
export function coveredLines(answer: BuildingLinesAnswer, lands: Lands): BuildingLinesAnswer {
  const { point, searchRadiusM } = answer;
  let last: Land | null = null;
  let isNearBorder = false;
  const lines = answer.lines.map((line, n) => {
    const land = lands[n] ?? null;
    if (land === null) return line;
    if (line.status !== 'ok') return land.covers(point.utm32) ? line : outsideLand(line.line, land);
    if (land !== last) {
      last = land;
      isNearBorder = land.distanceM(point.utm32, searchRadiusM + MARGIN_M) !== Infinity;
    }
    const isDeepWithin = Math.abs(line.distanceM ?? 0) > searchRadiusM;
    return isNearBorder || isDeepWithin ? coveredLine(answer, line, land) : line;
  });
  return lines.some((line, n) => line !== answer.lines[n]) ? { ...answer, lines } : answer;
}

/** More than the rule adds to the radius: farther away a border does not affect a near line. */
const MARGIN_M = 1;

function coveredLine(
  { point, searchRadiusM: radiusM }: BuildingLinesAnswer,
  line: Exclude<LineAnswer, UnavailableLine>,
  land: Land,
): LineAnswer {
  const worth = worthOf([land], point.utm32, { measured: line, radiusM });
  if (worth === 'all') return line;
  return worth === 'nothing' ? outsideLand(line.line, land) : { ...line, distanceM: null };
}
