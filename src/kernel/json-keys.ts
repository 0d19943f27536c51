/** Looks at JSON as text: what JSON.parse leaves out of its answer without a word. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Keys written in JSON, of all its objects: colons outside strings. Infinity when it is nested deeper
 * than `mostDepth`. Of a text that is no JSON it is a number without a meaning, found in linear time.
 */
export function countJsonKeys(text: string, mostDepth = Infinity): number {
  let keys = 0;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (inString) {
      if (char === QUOTE) inString = false;
      else if (char === BACKSLASH) at += 1;
    } else if (char === QUOTE) {
      inString = true;
    } else if (char === COLON) {
      keys += 1;
    } else if (char === OPEN_BRACE || char === OPEN_BRACKET) {
      depth += 1;
      if (depth > mostDepth) return Infinity;
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) {
      depth -= 1;
    }
  }
  return keys;
}
