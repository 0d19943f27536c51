import { AREA_IDS, LINE_KEYS } from '../layers/keys.ts';
import { ADDRESSES, ASSESSMENTS, BBR, CADASTRE, PLACE_NAMES, PROTECTION } from '../layers/keys.ts';
import type { MirrorId } from '../layers/keys.ts';
import { CONDITION_IDS } from '../layers/conditions/index.ts';
import type { Area } from '../account/permissions.ts';
import { areaOf } from '../changes/source.ts';

export const WATCH_KINDS = ['adresse', 'bfe', 'jordstykke', 'polygon'] as const;
export type WatchKind = (typeof WATCH_KINDS)[number];
export type KeyKind = Exclude<WatchKind, 'polygon'>;

/** Mirrors with geometry; companies have none. */
const PLACED: readonly MirrorId[] = [
  ...[ADDRESSES, CADASTRE, BBR, PLACE_NAMES],
  ...[...AREA_IDS, ...LINE_KEYS, ...CONDITION_IDS],
];

const REGISTERS: Readonly<Record<WatchKind, readonly MirrorId[]>> = {
  adresse: [ADDRESSES],
  bfe: [CADASTRE, BBR, ASSESSMENTS, ADDRESSES, PROTECTION],
  jordstykke: [CADASTRE],
  polygon: PLACED,
};

export function registersOf(kind: WatchKind): readonly MirrorId[] {
  return REGISTERS[kind];
}

export function mayRead(areas: ReadonlySet<Area> | undefined, mirror: MirrorId): boolean {
  const area = areaOf(mirror);
  return area !== null && areas?.has(area) === true;
}

/** For an account with these areas (D234). */
export function coveredBy(kind: WatchKind, areas: ReadonlySet<Area>): readonly MirrorId[] {
  return REGISTERS[kind].filter((mirror) => mayRead(areas, mirror));
}
