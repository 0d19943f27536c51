/** Guesses by names, then values. */
import { foldedHeading, headingWords, readHeading } from './address-headings.ts';
import type { Heading } from './address-headings.ts';
import { numberOf, textOf } from './cells.ts';
import type { Cell, Row } from './cells.ts';
import { DEFAULT_SRID, ROLES, hasRoles } from './job-types.ts';
import type { Kind, Role, RoleColumns, Srid } from './job-types.ts';

export type DecimalSign = 'comma' | 'point' | null;

export function guess(inputColumns: readonly string[], rows: readonly Row[]) {
  const named = columnsByName(inputColumns);
  const placed = named.x === undefined || named.y === undefined ? byValue(inputColumns, rows) : {};
  const sample = { inputColumns, rows };
  const found = { ...named, ...placed };
  const adresse = LIKELY.some((kind) => hasRoles(kind, found)) ? undefined : addressLike(sample);
  const { columns, srid } = turned(adresse === undefined ? found : { ...found, adresse }, sample);
  return {
    kind: kindOf(columns),
    columns,
    srid,
    decimal: decimalOf(columns, sample),
  };
}

const ADDRESS_WORD = /(?:^|[^a-z])(?:adressen?|beliggenhed|address)(?:$|[^a-z])/;
/** A road and its number; these, and a postcode before a town. */
const ROAD_AND_NUMBER = /\p{L}{2}\S*\s+\d/u;
const WHOLE_ADDRESS = /^\p{L}[\p{L}\s.'-]*\s\d{1,3}\s?\p{L}?,?\s(?:.*,\s?)?\d{4}\s\p{L}/u;

/** `Adresse på ejendom`, else a column of whole addresses, whatever it is called. */
function addressLike({ inputColumns, rows }: Sample): string | undefined {
  const holds = (place: number, pattern: RegExp): boolean => {
    const texts = rows.flatMap((row) => textOf(row[place]) ?? []);
    const fit = texts.filter((text) => pattern.test(text)).length;
    return texts.length > 0 && 2 * fit >= texts.length;
  };
  const isSaid = (column: string): boolean =>
    ADDRESS_WORD.test(foldedHeading(column)) && readHeading(column).part !== 'other';
  return (
    inputColumns.find((column, place) => isSaid(column) && holds(place, ROAD_AND_NUMBER)) ??
    inputColumns.find((_column, place) => holds(place, WHOLE_ADDRESS))
  );
}

/** Without case, marks and Danish letters: `Øst-koordinat` is `oestkoordinat`. */
const NAMES: Readonly<Partial<Record<Role, RegExp>>> = {
  x: /^(x|lon|lng|long|longitude|laengdegrad|oest|ost|east|easting|e|xkoordinat|koordinatx|oestkoordinat|koordinatoest|(utm|utm32|epsg25832|etrs89|wgs84|punkt)(x|oest|lon|e)|etrs89koordinatoest)$/,
  y: /^(y|lat|latitude|breddegrad|nord|north|northing|n|ykoordinat|koordinaty|nordkoordinat|koordinatnord|(utm|utm32|epsg25832|etrs89|wgs84|punkt)(y|nord|lat|n)|etrs89koordinatnord)$/,
  adgangsadresse_id: /^(adgangsadresseid|adgangsadresse|adgadrid|accessaddressid|dawaid)$/,
  bfe: /^(bfe|bfenr|bfenummer|bestemtfastejendom)$/,
};
const WEAK_NUMBER = /^(?:nr|no|nummer|number)$/;

export function isHeadingOf(role: Role, column: string): boolean {
  return NAMES[role]?.test(headingWords(column)) ?? readHeading(column).part === role;
}

/**
 * By the role's own name, else by its heading. `address`: the address or its road, and no part of
 * another address in the row.
 */
export function columnOf(
  role: Role,
  inputColumns: readonly string[],
  address?: string,
): string | undefined {
  const fit = headingsBeside(inputColumns, address).filter(({ part }) => part === role);
  const ofAddress = fit.find(({ isMain, owner }) => isMain && owner !== '');
  return (
    ofAddress?.column ??
    inputColumns.find((column) => isNamed(column, role)) ??
    fit.toSorted((a, b) => a.owner.length - b.owner.length).find(({ isOfAnother }) => !isOfAnother)
      ?.column ??
    inputColumns.find((column) => NAMES[role]?.test(headingWords(column)))
  );
}

interface AddressHeading extends Heading {
  readonly column: string;
  readonly isMain: boolean;
  /** A part that is not read: `leveringsby` where `leveringsadresse` is. */
  readonly isOfAnother: boolean;
}

export function headingsBeside(
  inputColumns: readonly string[],
  address: string | undefined,
): readonly AddressHeading[] {
  const main = address === undefined ? '' : readHeading(address).owner;
  const all = inputColumns.map((column) => ({ column, ...readHeading(column) }));
  const others = new Set(
    all.flatMap(({ part, owner }) => (part === 'adresse' || part === 'vej' ? [owner] : [])),
  );
  return all.map((heading) => {
    const isMain = heading.owner === main;
    return { ...heading, isMain, isOfAnother: !isMain && others.has(heading.owner) };
  });
}

export function isNamed(column: string, role: Role): boolean {
  return column.trim().toLowerCase() === role;
}

function columnsByName(inputColumns: readonly string[]): RoleColumns {
  const address = columnOf('adresse', inputColumns) ?? columnOf('vej', inputColumns);
  const found = ROLES.flatMap((role) => {
    const column = columnOf(role, inputColumns, address);
    return column === undefined ? [] : [[role, column] as const];
  });
  const columns: RoleColumns = Object.fromEntries(found);
  if (columns.vej === undefined || columns.husnr !== undefined) return columns;
  const husnr = inputColumns.find((column) => WEAK_NUMBER.test(headingWords(column)));
  return husnr === undefined ? columns : { ...columns, husnr };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** In degrees, and in metres of EPSG:25832. */
const DENMARK: Readonly<Record<Srid, { readonly x: Range; readonly y: Range }>> = {
  4326: { x: { from: 7.5, to: 15.6 }, y: { from: 54, to: 58.2 } },
  25832: { x: { from: 420_000, to: 920_000 }, y: { from: 6_030_000, to: 6_420_000 } },
};
const SYSTEMS: readonly Srid[] = [4326, 25832];

interface Sample {
  readonly inputColumns: readonly string[];
  readonly rows: readonly Row[];
}

function byValue(inputColumns: readonly string[], rows: readonly Row[]): RoleColumns {
  for (const srid of SYSTEMS) {
    const within = (range: Range): string | undefined =>
      inputColumns.find((_name, place) => liesIn(range, numbersAt(rows, place)));
    const [x, y] = [within(DENMARK[srid].x), within(DENMARK[srid].y)];
    if (x !== undefined && y !== undefined) return { x, y };
  }
  return {};
}

function liesIn({ from, to }: Range, values: readonly number[]): boolean {
  return values.length > 0 && values.every((value) => value >= from && value <= to);
}

function numbersAt(rows: readonly Row[], place: number): readonly number[] {
  return rows.flatMap((row) => {
    const value = numberOf(row[place]);
    return value === null ? [] : [value];
  });
}

function turned(
  columns: RoleColumns,
  { inputColumns, rows }: Sample,
): { readonly columns: RoleColumns; readonly srid: Srid } {
  const { x, y } = columns;
  if (x === undefined || y === undefined) return { columns, srid: DEFAULT_SRID };
  const xs = numbersAt(rows, inputColumns.indexOf(x));
  const ys = numbersAt(rows, inputColumns.indexOf(y));
  for (const srid of SYSTEMS) {
    const area = DENMARK[srid];
    if (liesIn(area.x, xs) && liesIn(area.y, ys)) return { columns, srid };
    if (liesIn(area.x, ys) && liesIn(area.y, xs)) {
      return { columns: { ...columns, x: y, y: x }, srid };
    }
  }
  const isDegrees = xs.every((value) => Math.abs(value) <= 180);
  return { columns, srid: isDegrees ? DEFAULT_SRID : 25832 };
}

const LIKELY: readonly Kind[] = ['miljoe', 'bbr', 'datavask'];

function kindOf(columns: RoleColumns): Kind {
  // A property number is deliberate; an address may be incidental.
  if (columns.bfe !== undefined && columns.x === undefined) return 'bbr';
  const isText = columns.adresse !== undefined || columns.vej !== undefined;
  if (isText && columns.x === undefined && columns.adgangsadresse_id === undefined) {
    return 'datavask';
  }
  return LIKELY.find((kind) => hasRoles(kind, columns)) ?? 'miljoe';
}

function decimalOf({ x, y }: RoleColumns, { inputColumns, rows }: Sample): DecimalSign {
  const places = [x, y].flatMap((name) => (name === undefined ? [] : [inputColumns.indexOf(name)]));
  const cells = rows.flatMap((row): Cell[] =>
    places.length === 0 ? [...row] : places.map((place) => row[place]),
  );
  const texts = cells.filter((cell) => typeof cell === 'string' && numberOf(cell) !== null);
  if (texts.some((cell) => textOf(cell)?.includes(','))) return 'comma';
  return texts.some((cell) => textOf(cell)?.includes('.')) ? 'point' : null;
}
