import type { Format, Shape } from './row-formats.ts';

export type Names = ReadonlyMap<string, string>;
export type Values = Readonly<Record<string, unknown>>;

export interface Place {
  /** Prefix of links. */
  readonly base: string;
  readonly format: Format;
  /** Municipalities by code. */
  readonly names: Names;
}

export type Readers<R> = Readonly<Record<string, (row: R, place: Place) => unknown>>;

/** Default of `mini`: the flat form without its box, with `betegnelse`. */
export interface Forms {
  readonly nestet: string;
  readonly flad?: string;
  readonly mini?: string;
  /** Absent: no suggestions. */
  readonly suggest?: string;
}

export type ShapeOf<R> = (place: Place) => Shape<R>;

/** A name without a reader is one that no mirror knows. `...name` inserts several. */
export function members<R>(readers: Readers<R>, names: string): (row: R, place: Place) => Values {
  const each = names
    .trim()
    .split(/\s+/)
    .map((name) => ({ name, read: readers[name] ?? none, isMany: name.startsWith('...') }));
  return (row, place) => {
    const values: Record<string, unknown> = {};
    for (const { name, read, isMany } of each) {
      const value = read(row, place) ?? null;
      if (isMany) Object.assign(values, value);
      else values[name] = value;
    }
    return values;
  };
}

const none = (): null => null;

export function shapeBy<R>(readers: Readers<R>, forms: Forms): ShapeOf<R> {
  const [nestet, flad, mini] = [forms.nestet, forms.flad, forms.mini].map((names) =>
    names === undefined ? undefined : members(readers, names),
  );
  const { betegnelse, geometry } = readers as Readonly<
    Record<string, (row: R, place: Place) => string>
  >;
  return (place) => ({
    nestet: (row) => nestet?.(row, place) ?? {},
    ...(flad && { flad: (row: R) => flad(row, place) }),
    ...(mini && { mini: (row: R) => mini(row, place) }),
    ...(betegnelse && { label: (row: R) => betegnelse(row, place) }),
    ...(geometry && { geometry: (row: R) => geometry(row, place) }),
  });
}

/** null where the row lacks the part. */
export function readersOf<R, P>(
  pick: (row: R) => P | null | undefined,
  readers: Readers<P>,
  prefix = '',
): Readers<R> {
  return Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [
      prefix + name,
      (row, place) => {
        const part = pick(row) ?? null;
        return part === null ? null : read(part, place);
      },
    ]),
  );
}

/** null where the row lacks the part. */
export function memberOf<R, P>(
  pick: (row: R) => P | null | undefined,
  readers: Readers<P>,
  names: string,
): Readers<R>[string] {
  const write = members(readers, names);
  return (row, place) => {
    const part = pick(row) ?? null;
    return part === null ? null : write(part, place);
  };
}

/** null without a code. */
export const linkTo = (
  { base }: Pick<Place, 'base'>,
  path: string,
  kode: string | number | null | undefined,
  navn: string | null | undefined,
) => (kode ? { href: `${base}/${path}/${kode}`, kode, navn: navn ?? null } : null);
