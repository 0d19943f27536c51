/** As the store has them. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TYPED = /^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/;

/** Of any case; null: no UUID. */
export function uuidOf(text: string): string | null {
  const stored = text.toLowerCase();
  return UUID.test(stored) ? stored : null;
}

/** Its 32 digits, of any case, dashes or not. */
export function uuidDigitsOf(text: string): string | null {
  const typed = text.toLowerCase();
  return TYPED.test(typed) ? typed.replaceAll('-', '') : null;
}
