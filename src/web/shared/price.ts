import { language } from './language.ts';

const PRICE = Number(document.body.dataset['pris'] ?? '');

/** Null: the operator has set no price (UNIT_PRICE_DKK). */
export function priceWords(units: number): string | null {
  if (!(PRICE > 0)) return null;
  const locale = language() === 'en' ? 'en-GB' : 'da-DK';
  return (units * PRICE).toLocaleString(locale, { style: 'currency', currency: 'DKK' });
}
