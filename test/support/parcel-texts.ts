/** Spellings of parcels that every reader of them understands. */

/** A parcel's designation as people and registers write it: digits, letters, name and code of the district. */
export const WRITTEN: readonly ((d: string, l: string, name: string, code: number) => string)[] = [
  ...'|matr.nr. |Matr. nr. |MATRIKELNR. |mtrnr |mtr.nr.|Matrikel |matrikelnummer: '
    .split('|')
    .flatMap((word) =>
      ['', ' ', '-'].map(
        (gap) => (d: string, l: string, name: string) => `${word}${d}${gap}${l} ${name}`,
      ),
    ),
  (d, l, name) => `${d}${l}, ejerlav ${name}`,
  (d, l, name) => `${d}${l}, ${name}, Prøve Kommune`,
  (d, l, name) => `${d}${l} af ${name}`,
  (d, l, name) => `Matr. nr. 0${d} ${l.toUpperCase()}, ${name.toUpperCase()}`,
  (d, l, name) => `${name} matr.nr. ${d}${l}`,
  (d, l, name) => `ejerlav ${name}, matr. nr. ${d} ${l}`,
  (d, l, name) => `${d}${l}, ${name.replaceAll('Å', 'Aa').replaceAll('ø', 'oe')}`,
  (d, l, _, code) => `${code}-${d}${l}`,
  (d, l, _, code) => `0${code}/${d}${l}`,
  (d, l, _, code) => `ejerlav ${code} matr. ${d}${l}`,
  (d, l, _, code) => `ejerlavskode ${code}, matrikelnr ${d} ${l}`,
  (d, l, _, code) => `${d}${l}, ${code}`,
  (d, l, name, code) => `${d}${l} ${name} (${code})`,
];
export const NUMBERS: readonly ((d: string, l: string) => string)[] = [
  (d, l) => `${d} ${l}`,
  (d, l) => `0${d}${l}`,
  (d, l) => [d, l].filter(Boolean).join('-'),
  (d, l) => `matr.nr. ${d}${l.toUpperCase()}`,
  (d, l) => `${d}${l.replace('ø', 'oe')}`,
];
export const PARCELS = [
  ['12', 'a', 'Hellerup', 12_851],
  ['12', 'bø', 'Hellerup', 12_851],
  ['2', '', 'Hellerup', 12_851],
  ['120', '', 'Hellerup', 12_851],
  ['12', 'a', 'Ny Hellerup By, Prøve', 12_852],
  ['9', 'x', 'Åløse By, 93', 12_853],
] as const;
