import { invalidRequest } from '../../kernel/failures.ts';
import type { Failure } from '../../kernel/failures.ts';
import { JOB_LIMITS } from '../limits.ts';

/** `row` counts from 1, without the header. */
export function valueTooLong(row: number, column: string): Failure {
  const { valueChars } = JOB_LIMITS;
  return invalidRequest(
    `Row ${row}, column ${shownName(column)}: a text may have at most ${valueChars} characters.`,
    `Række ${row}, kolonne ${shownName(column)}: en tekst må højst have ${valueChars} tegn.`,
  );
}

export function controlCharacter(row: number): Failure {
  return invalidRequest(
    `Row ${row} has a control character that no text has.`,
    `Række ${row} har et kontroltegn, som ingen tekst har.`,
  );
}

export function lineTooLong(row: number): Failure {
  const { rowBytes } = JOB_LIMITS;
  return invalidRequest(
    `Row ${row} has more than ${rowBytes} bytes.`,
    `Række ${row} fylder mere end ${rowBytes} byte.`,
  );
}

export function tooManyRows(): Failure {
  const { rowsPerJob } = JOB_LIMITS;
  return invalidRequest(
    `A job may have at most ${rowsPerJob} rows.`,
    `Et job må højst have ${rowsPerJob} rækker.`,
  );
}

/** Throws for an invalid name. `place`: the column in words. */
export function checkColumnName(name: string, place: { readonly en: string; readonly da: string }) {
  const { min, max } = JOB_LIMITS.columnChars;
  const chars = charsOf(name);
  if (chars < min || chars > max) {
    throw invalidRequest(
      `${place.en}: the name of a column has ${min} to ${max} characters.`,
      `${place.da}: navnet på en kolonne har ${min} til ${max} tegn.`,
    );
  }
  if (UNFIT.test(name) || !name.isWellFormed() || name === '__proto__') {
    throw invalidRequest(
      `${place.en}: the name of a column has no control characters and is not __proto__.`,
      `${place.da}: navnet på en kolonne har ingen kontroltegn og er ikke __proto__.`,
    );
  }
}

/* oxlint-disable-next-line no-control-regex -- they are what is looked for */
const UNFIT = /[\u0000-\u001f\u007f]/;

export function checkColumnCount(count: number): void {
  const { columns } = JOB_LIMITS;
  if (count <= columns) return;
  throw invalidRequest(
    `The rows may have at most ${columns} columns.`,
    `Rækkerne må højst have ${columns} kolonner.`,
  );
}

export function charsOf(text: string): number {
  let chars = 0;
  for (let at = 0; at < text.length; at++) {
    // Counts surrogate pairs once.
    if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) chars++;
  }
  return chars;
}

const NAME_CHARS = 40;

export function shownName(column: string): string {
  return column.length > NAME_CHARS ? `${column.slice(0, NAME_CHARS)}…` : column;
}
