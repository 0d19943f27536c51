export const NUMBER_WORDS =
  /(?<![a-zæøå])(?:matrikel|matr|mat|mtr)\.?[ -]?(?:nummer|nr)?\.?(?![a-zæøå])/g;

export const DISTRICT_WORDS =
  /(?<![a-zæøå])(?:ejerlav(?:et|s?kode|s?navn|s?nr)?|jordstykke|parcel|nr|af|i)\.?(?![a-zæøå])/g;

const NUMBER = '\\d{1,4}[ -]?\\p{L}{0,3}';
const CODE = '\\d{5,8}';
/** `12a Hellerup`, `12851-12a`, `12a, 12851`. */
const BEGINNING = new RegExp(
  `^(?:${NUMBER}[\\s,-]+\\p{L}|${CODE}[\\s,/-]+${NUMBER}$|${NUMBER}[\\s,/]+${CODE}$)`,
  'u',
);

export function isLikeParcel(text: string): boolean {
  const written = text.normalize('NFC').toLowerCase().trim();
  const isNamed = written.search(NUMBER_WORDS) >= 0 || /(?<!\p{L})ejerlav/u.test(written);
  return BEGINNING.test(written) || (isNamed && /\d/.test(written));
}

/** `Matr. nr. 013 A` as `13a`; null: it is no number of a parcel. */
export function parcelNumberOf(text: string): string | null {
  const bare = text.normalize('NFC').toLowerCase().replace(NUMBER_WORDS, ' ').trim();
  const number = bare
    .replace(/(?<=\d)[\s./-]+(?=[a-zæøå])/g, '')
    .replace(/(?<=[a-zæøå])\s+(?=[a-zæøå])/g, '')
    .replace(/^0+(?=\d)/, '');
  return /^[0-9a-zæøå]+$/.test(number) ? number : null;
}
