import { parseExactJson } from '../bytes/exact-json.ts';
import { beat } from '../kernel/pulse.ts';
import { normalisedName } from '../layers/contract.ts';
import { PageRefused } from '../wfs/read-feature.ts';
import type { ReadFeature } from '../wfs/read-feature.ts';
import { readWkt } from './read-wkt.ts';
import { remainsOfWkt } from './remains.ts';

/** `members` were counted in the bytes. Throws PageRefused. */
export function readJsonRows(
  bytes: Uint8Array,
  { members, geometryProperty }: { readonly members: number; readonly geometryProperty: string },
): ReadFeature[] {
  const rows = parse(bytes);
  if (rows.length !== members) {
    throw new PageRefused(`${rows.length} rows read of ${members} counted`);
  }
  const wanted = normalisedName(geometryProperty);
  return rows.map((row) => {
    beat();
    if (typeof row !== 'object' || row === null) throw new PageRefused('a row that is no object');
    const properties: Record<string, unknown> = {};
    let wkt: unknown = null;
    for (const [name, value] of Object.entries(row)) {
      if (normalisedName(name) === wanted) wkt = value;
      else properties[name] = value;
    }
    return { properties, ...readWkt(wkt), remains: () => remainsOfWkt(wkt) };
  });
}

function parse(bytes: Uint8Array): unknown[] {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const value = parseExactJson(text);
    if (Array.isArray(value)) return value;
  } catch (error) {
    throw new PageRefused(`not well-formed: ${error instanceof Error ? error.message : 'JSON'}`);
  }
  throw new PageRefused('not a JSON array');
}
