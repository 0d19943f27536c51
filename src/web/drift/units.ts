import { decimal, number, span } from '../shared/format.ts';
import { html } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { inLanguage, language } from '../shared/language.ts';

export function duration(ms: number): string {
  return ms < 60_000 ? `${decimal(ms / 1000)} s` : span(ms / 1000);
}

export function bytes(value: number): string {
  const unit = Math.min(3, Math.floor(Math.log10(Math.max(1, value)) / 3));
  return `${decimal(value / 1000 ** unit)} ${['B', 'kB', 'MB', 'GB'][unit] ?? ''}`;
}

export function area(squareMetres: number): string {
  return squareMetres >= 1_000_000
    ? `${decimal(squareMetres / 1_000_000)} km²`
    : `${number(Math.round(squareMetres))} m²`;
}

const LISTS = { da: new Intl.ListFormat('da'), en: new Intl.ListFormat('en-GB') };

/** `a`, `a og b`, `a, b og c`; `a, b and c`. */
export function list(words: readonly string[]): string {
  return inLanguage(LISTS).format(words);
}

const SECOND = ['second', 1_000] as const;
const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `om 40 dage`, `for 2 timer siden`; `in 40 days`, `2 hours ago`. */
export function until(ms: number): string {
  const far = Math.abs(ms);
  const [unit, length] = STEPS.find(([, each]) => far >= each) ?? SECOND;
  const count = Math.max(1, Math.floor(far / length));
  return new Intl.RelativeTimeFormat(language()).format(ms < 0 ? -count : count, unit);
}

/** `key`: by it the button has the focus again after it has moved. */
export function keyedButton(
  key: string,
  text: string,
  press: () => Promise<void>,
  kind = 'quiet',
): TemplateResult {
  return html`<button type="button" class=${kind} data-key=${key} @click=${press}>${text}</button>`;
}
