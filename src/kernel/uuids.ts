/** As the store has them. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TYPED = /^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/;

/** Of any case, as the store has it; null: no UUID. */
export function uuidOf(text: string): string | null {
  const stored = text.toLowerCase();
  return UUID.test(stored) ? stored : null;
}

/** Any case, dashes or not: 32 digits; null: no UUID. */
export function uuidDigitsOf(text: string): string | null {
  const typed = text.toLowerCase();
  return TYPED.test(typed) ? typed.replaceAll('-', '') : null;
}
