/** UUIDs as the store has them: small letters, with dashes. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TYPED = /^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/;

/** Of letters in any case, as the store has it; null: no UUID. */
export function uuidOf(text: string): string | null {
  const stored = text.toLowerCase();
  return UUID.test(stored) ? stored : null;
}

/** Of letters in any case, each dash there or not: its 32 digits; null: no UUID. */
export function uuidDigitsOf(text: string): string | null {
  const typed = text.toLowerCase();
  return TYPED.test(typed) ? typed.replaceAll('-', '') : null;
}
