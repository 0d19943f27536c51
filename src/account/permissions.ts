/** Permissions of a key (D64): `read`, `jobs`, or `restricted:<area,…>`. */

export const AREAS = [
  'bbr',
  'dagi',
  'natur',
  'adresser',
  'cvr',
  'dhm',
  'stednavne',
  'vurdering',
  'miljoe',
  'replikering',
  'jobs',
] as const;
export type Area = (typeof AREAS)[number];

export type Permission = 'read' | 'jobs' | `restricted:${string}`;

const RESTRICTED = 'restricted:';

/** Normalized, areas in their usual order; null: invalid. */
export function parsePermission(text: string): Permission | null {
  if (text === 'read' || text === 'jobs') return text;
  if (!text.startsWith(RESTRICTED)) return null;
  const asked = text.slice(RESTRICTED.length).split(',');
  if (!asked.every((area) => (AREAS as readonly string[]).includes(area))) return null;
  return `${RESTRICTED}${AREAS.filter((area) => asked.includes(area)).join(',')}`;
}

/** `read` opens every lookup; jobs are separate. */
export function areasOf(permission: Permission): ReadonlySet<Area> {
  if (permission === 'jobs') return new Set(AREAS);
  if (permission === 'read') return new Set(AREAS.filter((area) => area !== 'jobs'));
  return new Set(permission.slice(RESTRICTED.length).split(',') as Area[]);
}
