/** What a client takes (RFC 9110, 12.5). */
import type { Language } from './text.ts';

const WEIGHT = /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** An invalid weight is 0. */
function weighted(header: string | undefined): readonly (readonly [string, number])[] {
  return (header ?? '').split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    const given = parameters.find((each) => each.startsWith('q=')) ?? 'q=1';
    return [name, WEIGHT.test(given) ? Number(given.slice(2)) : 0];
  });
}

/** Of the first of `names` that is there; 0: none. */
export function weightOf(header: string | undefined, ...names: readonly string[]): number {
  const weights = new Map(weighted(header));
  return names.map((name) => weights.get(name)).find((weight) => weight !== undefined) ?? 0;
}

/** Browsers name text/html, programs do not. */
export function wants(accept: string | undefined, type: string): boolean {
  const weight = weightOf(accept, type);
  return weight > 0 && weight >= weightOf(accept, 'application/json', 'application/*', '*/*');
}

const LANGUAGE = /^(?:\*|(?:da|en)(?:-[a-z0-9]{1,8})*)$/;

/** Of equal weights the first. `*`, no header or an invalid one mean Danish. */
export function preferredLanguage(header: string | undefined): Language {
  const [best] = weighted(header)
    .filter(([range, weight]) => weight > 0 && LANGUAGE.test(range))
    .toSorted(([, a], [, b]) => b - a);
  return best?.[0].startsWith('en') === true ? 'en' : 'da';
}
