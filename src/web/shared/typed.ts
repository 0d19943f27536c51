import { isLikeParcel } from '../../layers/parcel-text.ts';
import { parseCoordinates } from './coordinates.ts';
import type { Parsed } from './coordinates.ts';

export type Typed =
  | Parsed
  | { readonly kind: 'number'; readonly bfe: string | null; readonly cvr: string | null }
  | { readonly kind: 'production-unit' };

const NAMED = /^(bfe|cvr|p)(?:[\s-]*(?:nr|nummer|number|no))?[\s.:#-]*(\d(?:[\d\s.]*\d)?)$/i;
const PAIRS = /^\d\d( \d\d){3}$/;
const CVR_DIGITS = 8;
const P_DIGITS = 10;
/** Of a number that nothing else tells. */
const BFE_DIGITS = { min: 4, max: 9 };

export function typedOf(given: string): Typed {
  const text = given.trim();
  if (isLikeParcel(text)) return { kind: 'text' };
  const [, name, digits = ''] = NAMED.exec(text) ?? [];
  if (name !== undefined) return namedNumber(name.toLowerCase(), digitsOf(digits));
  if (PAIRS.test(text)) return { kind: 'number', bfe: null, cvr: digitsOf(text) };
  return (/^\d+$/.test(text) ? bareNumber(text) : null) ?? parseCoordinates(text);
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

function namedNumber(name: string, digits: string): Typed {
  if (name === 'p') return { kind: 'production-unit' };
  if (name === 'cvr') return { kind: 'number', bfe: null, cvr: digits };
  return { kind: 'number', bfe: String(Number(digits)), cvr: null };
}

function bareNumber(digits: string): Typed | null {
  if (digits.length === P_DIGITS) return { kind: 'production-unit' };
  if (digits.length < BFE_DIGITS.min || digits.length > BFE_DIGITS.max) return null;
  const cvr = digits.length === CVR_DIGITS ? digits : null;
  return { kind: 'number', bfe: String(Number(digits)), cvr };
}
