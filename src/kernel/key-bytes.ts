/** A secret key is base64 of 32 bytes. */
export const KEY_BYTES = 32;

/** null: not a key. */
export function parseKey(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES && key.toString('base64') === text ? key : null;
}
