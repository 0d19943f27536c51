export interface Page {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How many of the head are the caller's own. */
  readonly given: number;
}

export interface PlacedRow {
  readonly row: string;
  readonly lon: number;
  readonly lat: number;
}

export function placesOf({ head, rows, given }: Page): readonly PlacedRow[] {
  const find = (name: RegExp): number =>
    head.findIndex((each, at) => at > given && name.test(each));
  const [lonAt, latAt] = [find(/^(punkt_)?lon(_svar)*$/), find(/^(punkt_)?lat(_svar)*$/)];
  if (lonAt < 0 || latAt < 0) return [];
  return rows.flatMap((cells) => {
    const [lon, lat] = [cells[lonAt] ?? '', cells[latAt] ?? ''];
    if (lon === '' || lat === '') return [];
    const place = { lon: Number(lon), lat: Number(lat) };
    const isPlace = Number.isFinite(place.lon) && Number.isFinite(place.lat);
    return isPlace ? [{ row: cells[given] ?? '', ...place }] : [];
  });
}
