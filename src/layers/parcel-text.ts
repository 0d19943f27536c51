/** How people write a parcel: `12a, Hellerup`, `matr.nr. 12 a`, `12851-12a`. In small letters. */

/** Words that stand before the number of a parcel. */
export const NUMBER_WORDS =
  /(?<![a-zæøå])(?:matrikel|matr|mat|mtr)\.?[ -]?(?:nummer|nr)?\.?(?![a-zæøå])/g;

/** Words around its number and district. */
export const DISTRICT_WORDS =
  /(?<![a-zæøå])(?:ejerlav(?:et|s?kode|s?navn|s?nr)?|jordstykke|parcel|nr|af|i)\.?(?![a-zæøå])/g;

const NUMBER = '\\d{1,4}[ -]?\\p{L}{0,3}';
const CODE = '\\d{5,8}';
/** A number with a district: `12a Hellerup`, or its code before or after it. */
const BEGINNING = new RegExp(
  `^(?:${NUMBER}[\\s,-]+\\p{L}|${CODE}[\\s,/-]+${NUMBER}$|${NUMBER}[\\s,/]+${CODE}$)`,
  'u',
);

/** Whether a text may be of a parcel as well as of an address. */
export function isLikeParcel(text: string): boolean {
  const written = text.normalize('NFC').toLowerCase().trim();
  const isNamed = written.search(NUMBER_WORDS) >= 0 || /(?<!\p{L})ejerlav/u.test(written);
  return BEGINNING.test(written) || (isNamed && /\d/.test(written));
}
