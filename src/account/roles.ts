/** What a person may do (D216). */
export const ROLES = ['reads', 'uses', 'pays', 'administers'] as const;
export type Role = (typeof ROLES)[number];

export function mayAct(roles: readonly Role[], needed: Role): boolean {
  return needed === 'reads' || roles.includes(needed) || roles.includes('administers');
}
