/**
 * A table, or a part, to features, with the mapping and checks of a WFS page. Pure; runs in a
 * thread.
 */
import { mapFeatures, parsePage } from '../wfs/parse-page.ts';
import type { PageInput, ParsedPage } from '../wfs/page.ts';
import { PageRefused } from '../wfs/read-feature.ts';
import { readGeoPackage } from './read-geopackage.ts';
import { readJsonRows } from './read-json.ts';

/** `members`: rows counted while cutting; null: the task has the whole file and counts itself. */
export interface ParseDownloadTask extends PageInput {
  readonly format: 'gpkg' | 'json' | 'gml';
  readonly members: number | null;
  /** Transferred. */
  readonly bytes: Uint8Array;
}

/** Throws PageRefused when the table cannot be read as a whole. */
export function parseDownload(input: ParseDownloadTask): ParsedPage {
  const { bytes, format } = input;
  if (format === 'gml') return countedWhole(parsePage({ ...input, mayRepeatIds: true }));
  const { members, features } = format === 'json' ? jsonRows(input) : readGeoPackage(bytes);
  if (features.length !== members) {
    throw new PageRefused(`${features.length} rows read of ${members} counted`);
  }
  const mapped = mapFeatures(features, input, true);
  return { members, numberMatched: null, numberReturned: null, ...mapped };
}

/** A streaming server writes 0 at the head of a file, which is no count. */
function countedWhole(page: ParsedPage): ParsedPage {
  for (const count of [page.numberMatched, page.numberReturned]) {
    if (count !== null && count > 0 && count !== page.members) {
      throw new PageRefused(`${page.members} features of the ${count} that the file counts`);
    }
  }
  return page;
}

function jsonRows({ bytes, members, geometryProperty }: ParseDownloadTask) {
  if (members === null) throw new PageRefused('rows that are not counted');
  return { members, features: readJsonRows(bytes, { members, geometryProperty }) };
}
