/** A row as a register has it: column by its own name, null where it is empty. */
export type TableRow = Readonly<Record<string, string | null>>;

/** Both time axes of a row that is registered and in force, without an end. */
export function inForceSince(virkningFra: string, registreringFra = virkningFra): TableRow {
  return { registreringFra, registreringTil: null, virkningFra, virkningTil: null };
}

export function textIn(row: TableRow | undefined, column: string): string {
  return row?.[column] ?? '';
}

export function byId(rows: readonly TableRow[]): ReadonlyMap<string, TableRow> {
  return new Map(rows.map((row) => [textIn(row, 'id_lokalId'), row]));
}

export function emptyTables<E extends string>(entities: readonly E[]): Record<E, TableRow[]> {
  return Object.fromEntries(entities.map((entity) => [entity, [] as TableRow[]])) as Record<
    E,
    TableRow[]
  >;
}

export function entitiesOf<E extends string>(by: Readonly<Record<E, unknown>>): readonly E[] {
  return Object.keys(by) as E[];
}
