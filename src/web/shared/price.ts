/** Units in kroner, where the operator has set a price (UNIT_PRICE_DKK). */
import { language } from './language.ts';

const PRICE = Number(document.body.dataset['pris'] ?? '');

/** `12,50 kr.`; null: no price is set. */
export function priceWords(units: number): string | null {
  if (!(PRICE > 0)) return null;
  const locale = language() === 'en' ? 'en-GB' : 'da-DK';
  return (units * PRICE).toLocaleString(locale, { style: 'currency', currency: 'DKK' });
}
