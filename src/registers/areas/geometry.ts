/** Writes a DAGI area around a geometry that is already compressed text. */
import type { AreaAnswer } from '../../answers/answer.ts';
import { SERVICE_VERSION } from '../../kernel/identity.ts';

import type { JsonPart } from '../../answers/json-pieces.ts';
import { weakTag } from '../../answers/json-pieces.ts';

/** The area as JSON text in parts. */
export function areaParts(area: AreaAnswer, sourceName: string): JsonPart[] {
  const [before, after] = frame(area, sourceName);
  return [before, area.geometry?.json ?? 'null', after];
}

/** Changes with every byte of the answer. */
export function areaTag(area: AreaAnswer, sourceName: string): string {
  return weakTag([...frame(area, sourceName), area.geometry?.contentHash ?? '']);
}

export function isStale({ provenance }: AreaAnswer): boolean {
  return provenance.rung === 'stale';
}

function frame(area: AreaAnswer, sourceName: string): [string, string] {
  const head = {
    tema: area.theme,
    kode: area.code,
    navn: area.name,
    // The contract has no null here: '' means that the region is unknown (D41).
    regionskode: area.regionCode ?? '',
  };
  const meta = {
    kilde: sourceName,
    service_version: SERVICE_VERSION,
    geometri_status: geometryStatus(area),
  };
  return [`${JSON.stringify(head).slice(0, -1)},"geometri":`, `,"meta":${JSON.stringify(meta)}}`];
}

function geometryStatus(area: AreaAnswer): 'live' | 'stale' | 'utilgaengelig' {
  if (area.geometry === null) return 'utilgaengelig';
  return isStale(area) ? 'stale' : 'live';
}
