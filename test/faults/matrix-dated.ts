/**
 * Rows of the matrix for changes that are known ahead: what the register does with its own date, and
 * what becomes of the copy. Played by `test/sync/dated-confirm.test.ts`, each under its words.
 */
export interface DatedRow {
  readonly id: string;
  readonly about: string;
  readonly outcome: string;
}

const row = (id: string, about: string, outcome: string): DatedRow => ({ id, about, outcome });

export const DATED_ROWS = {
  prepared: row(
    'dated-prepared',
    'A confirmed change whose rows are at hand',
    'carried out at its instant, without the register, once',
  ),
  late: row(
    'dated-late',
    'An announced change that no file carries on its day',
    'the old copy answers, stale from the instant; an alarm; asked for until it comes',
  ),
  early: row(
    'dated-early',
    'A confirmed change that the file carries before its instant',
    'refused by the guards it trips',
  ),
  half: row(
    'dated-half',
    'A successor without half of the land that was announced',
    'refused; the old copy answers, stale',
  ),
  other: row(
    'dated-other',
    'Another code, or another row, than was announced',
    'refused; the old copy answers, stale',
  ),
  beside: row(
    'dated-beside',
    'A confirmed change, and an area gone beside it',
    'refused as a whole; the old copy answers, stale',
  ),
  unconfirmed: row(
    'dated-unconfirmed',
    'A change that trips guards and that nobody has confirmed',
    'refused; an alarm; the old copy answers, stale',
  ),
  contradicted: row(
    'dated-contradicted',
    'An announcement that the file contradicts',
    'told, and cannot be confirmed',
  ),
} as const;
