/** Codes and keys as DAWA composed them. */
import { constituencyOf } from '../../registers/areas/constituencies.ts';

/** DAWA's status by DAR's. */
const STATUS: Readonly<Record<number, number>> = { 2: 3, 3: 1, 4: 2, 5: 4 };

export function statusOf(darStatus: number): number {
  return STATUS[darStatus] ?? darStatus;
}

export function darStatusOf(status: string): number | null {
  const found = Object.entries(STATUS).find(([, dawa]) => String(dawa) === status);
  return found === undefined ? null : Number(found[0]);
}

export function unpadded(code: string): string {
  return code.replace(/^0+(?=.)/, '');
}

/** A constituency or electoral region as answers of other resources name it. */
export function wholeMember(
  base: string,
  path: 'storkredse' | 'valglandsdele',
  districtCode: string | undefined,
): object | null {
  const found = districtCode === undefined ? null : constituencyOf(districtCode);
  if (found === null) return null;
  const { letter, name } = found.electoralRegion;
  return path === 'storkredse'
    ? { href: `${base}/storkredse/${found.number}`, nummer: found.number, navn: found.name }
    : { href: `${base}/valglandsdele/${letter}`, bogstav: letter, navn: name };
}
