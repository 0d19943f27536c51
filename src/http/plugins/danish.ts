/**
 * Adds Danish to the published document: each text becomes English, then Danish. Routes have the
 * English, which is the key to the Danish.
 */

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Keys whose values are data, not text of the document. */
const DATA = new Set(['example', 'examples', 'enum', 'const', 'default']);

/** Mutates the document. A description without Danish stays. */
export function addDanish(document: unknown, danish: Readonly<Record<string, string>>): void {
  if (Array.isArray(document)) {
    for (const each of document) addDanish(each, danish);
    return;
  }
  if (!isObject(document)) return;
  for (const [key, value] of Object.entries(document)) {
    if (DATA.has(key)) continue;
    if (key === 'description' && typeof value === 'string') {
      document[key] = inBoth([value], danish);
    } else {
      if (METHODS.includes(key) && isObject(value)) describeOperation(value, danish);
      addDanish(value, danish);
    }
  }
}

/** Adds the Danish summary to the start of the description. */
function describeOperation(
  operation: Record<string, unknown>,
  danish: Readonly<Record<string, string>>,
): void {
  const { summary, description } = operation;
  if (typeof summary !== 'string') return;
  const texts = typeof description === 'string' ? [summary, description] : [summary];
  operation['description'] = inBoth(texts, danish);
}

function inBoth(texts: readonly string[], danish: Readonly<Record<string, string>>): string {
  const translated = texts.map((text) => danish[text]);
  const english = sentences(texts);
  return translated.includes(undefined)
    ? english
    : `${english}\n\n${sentences(translated as string[])}`;
}

/** A single text stays unchanged; the first of several gets a full stop. */
function sentences(texts: readonly string[]): string {
  return texts.map((text) => (/[.!?:]$/.test(text) ? text : `${text}.`)).join(' ');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
