import { boxesMeet, wkbBox } from '../../geo/box.ts';
import { wkbArea } from '../../geo/ring-area.ts';
import { unseenIn } from '../../layers/contract.ts';
import { isLineKey } from '../../layers/keys.ts';
import { neededColumns } from '../../layers/mappings/needed.ts';
import { measureWindow } from '../../snapshot/window.ts';
import { parsePage } from '../../wfs/parse-page.ts';
import { PageRefused } from '../../wfs/read-feature.ts';
import type { MeasuredWindow, MeasureWindowTask } from './window.ts';
import type { Refused } from '../../core/tasks/protocol.ts';

/** Metres: a server's rounding of the box. */
const ROUNDING_M = 1;

export default function run(task: MeasureWindowTask): MeasuredWindow | Refused {
  const { page, box, point, radiusM } = task;
  try {
    const parsed = parsePage(page);
    const { features, issues, doubts } = parsed;
    const [issue] = issues;
    const [doubt] = Object.keys(doubts);
    // A sync may leave out an unreadable feature and report it; a live yes or no may not.
    if (issue !== undefined) return { refused: `a feature cannot be read: ${issue.reason}` };
    if (doubt !== undefined) return { refused: `a feature cannot be judged: ${doubt}` };
    const columns = unseenIn(parsed, neededColumns(page.mapping, page.keyProperty));
    if (columns.complete && columns.unseen.length > 0) {
      return { refused: `the columns ${columns.unseen.join(', ')} are gone` };
    }
    if (!features.every(({ wkb }) => boxesMeet(wkbBox(wkb), box, ROUNDING_M))) {
      return { refused: 'a feature lies outside the box that was asked for' };
    }
    if (!isLineKey(page.layer)) return { refused: `${page.layer} is not a building line` };
    const isArea = page.geometryKind === 'area';
    const measure = measureWindow({
      line: page.layer,
      geometry: page.geometryKind,
      point,
      radiusM,
      features: features.map((feature) => ({
        ...feature,
        areaM2: isArea ? wkbArea(feature.wkb) : null,
      })),
    });
    return { ...measure, unseenColumns: columns.unseen };
  } catch (error) {
    if (error instanceof PageRefused) return { refused: error.message };
    return { refused: `its areas cannot be measured: ${String(error)}` };
  }
}
