/** By Accept-Language (RFC 9110, 12.5.4). */
import { weighted } from './accept.ts';
import type { Language } from './text.ts';

const RANGE = /^(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)$/;

/** Of equal weights the first. `*`, no header or an invalid one mean Danish. */
export function preferredLanguage(header: string | undefined): Language {
  let best: Language = 'da';
  let bestWeight = 0;
  for (const [range, weight] of weighted(header)) {
    const language = languageOf(range);
    if (language === null || weight <= bestWeight) continue;
    best = language;
    bestWeight = weight;
  }
  return best;
}

function languageOf(range: string): Language | null {
  if (!RANGE.test(range)) return null;
  const primary = range.split('-', 1)[0];
  if (primary === 'da' || primary === '*') return 'da';
  return primary === 'en' ? 'en' : null;
}
