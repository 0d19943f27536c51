import type { Attribute, AttributeType } from './entity.ts';

type Written = `${AttributeType}${'' | '?'}`;

export function attribute(
  name: string,
  written: Written,
  sql: string,
  description: string,
): Attribute {
  const nullable = written.endsWith('?');
  const type = (nullable ? written.slice(0, -1) : written) as AttributeType;
  return { name, type, nullable, sql, description };
}

/** `name:type`: not mirrored here, always null. */
export function unknown(names: string): readonly Attribute[] {
  return names
    .trim()
    .split(/\s+/)
    .map((each) => {
      const [name = '', type = 'string'] = each.split(':');
      const written = `${type}?` as Written;
      return attribute(name, written, SQL_NULL[type] ?? 'null', 'Kendes ikke her: altid null');
    });
}

const SQL_NULL: Readonly<Record<string, string>> = { string: 'null::text' };

/** Danish time without a zone. */
export const localTime = (sql: string): string =>
  `to_char(${sql} at time zone 'Europe/Copenhagen', 'YYYY-MM-DD"T"HH24:MI:SS.MS')`;

export function chosen(
  sql: string,
  words: Readonly<Record<string | number, string | number>>,
): string {
  const cases = Object.entries(words).map(([from, to]) => {
    const given = /^\d+$/.test(from) ? from : `'${from}'`;
    return `when ${given} then ${typeof to === 'number' ? to : `'${to}'`}`;
  });
  return `case ${sql} ${cases.join(' ')} end`;
}

/** EPSG:25832, to the millimetre. */
export const geoJson = (sql: string): string => `ST_AsGeoJSON(${sql}, 3, 0)::json`;

export const CHANGED = attribute(
  'ændret',
  'localdatetime?',
  localTime('d.valid_from'),
  'Siden hvornår rækken gælder',
);
