/** Lengths of time, sizes and lists as the operator's page says them. */
import { decimal, number, span } from '../shared/format.ts';
import { inLanguage, t } from '../shared/language.ts';

export function duration(ms: number): string {
  return ms < 60_000 ? `${decimal(ms / 1000)} s` : span(ms / 1000);
}

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  const units = ['kB', 'MB', 'GB'];
  let scaled = value / 1000;
  let unit = 0;
  while (scaled >= 1000 && unit < units.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  return `${decimal(scaled)} ${units[unit] ?? ''}`;
}

export function area(squareMetres: number): string {
  return squareMetres >= 1_000_000
    ? `${decimal(squareMetres / 1_000_000)} km²`
    : `${number(Math.round(squareMetres))} m²`;
}

/** `a`, `a og b`, `a, b og c`; `a, b and c`. */
export function list(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${t('og', 'and')} ${words.at(-1) ?? ''}`;
}

const SECOND = [1_000, ['sekund', 'sekunder'], ['second', 'seconds']] as const;
const STEPS = [
  [86_400_000, ['dag', 'dage'], ['day', 'days']],
  [3_600_000, ['time', 'timer'], ['hour', 'hours']],
  [60_000, ['minut', 'minutter'], ['minute', 'minutes']],
] as const;

/** `om 40 dage`, `for 2 timer siden`; `in 40 days`, `2 hours ago`. */
export function until(ms: number): string {
  const far = Math.abs(ms);
  const [unit, da, en] = STEPS.find(([length]) => far >= length) ?? SECOND;
  const count = Math.max(1, Math.floor(far / unit));
  const [one, many] = inLanguage<readonly [string, string]>({ da, en });
  const words = `${number(count)} ${count === 1 ? one : many}`;
  return ms < 0 ? t(`for ${words} siden`, `${words} ago`) : t(`om ${words}`, `in ${words}`);
}
