/** What a person may do for an account (D216): all may read; who administers may do all. */
export const ROLES = ['reads', 'uses', 'pays', 'administers'] as const;
export type Role = (typeof ROLES)[number];

export function mayAct(roles: readonly Role[], needed: Role): boolean {
  return needed === 'reads' || roles.includes(needed) || roles.includes('administers');
}
