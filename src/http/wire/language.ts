/** By Accept-Language (RFC 9110, 12.5.4). */
import type { Language } from './text.ts';

const RANGE = /^(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)$/i;
const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** Of equal weights the first. `*`, no header or an invalid one mean Danish. */
export function preferredLanguage(header: string | undefined): Language {
  let best: Language = 'da';
  let bestQuality = 0;
  for (const part of (header ?? '').split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const language = languageOf(range);
    const quality = qualityOf(parameters);
    if (language === null || quality <= bestQuality) continue;
    best = language;
    bestQuality = quality;
  }
  return best;
}

function languageOf(range: string): Language | null {
  if (!RANGE.test(range)) return null;
  const primary = range.split('-', 1)[0]?.toLowerCase();
  if (primary === 'da' || primary === '*') return 'da';
  return primary === 'en' ? 'en' : null;
}

function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.toLowerCase().startsWith('q='));
  if (given === undefined) return 1;
  const found = QUALITY.exec(given);
  return found === null ? 0 : Number(found[1]);
}
