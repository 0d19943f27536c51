/** Runs in browsers too. */
import { parseExactJson } from '../../bytes/exact-json.ts';
import type { Cell } from '../../core/rows/cells.ts';
import { invalidRequest } from '../../kernel/failures.ts';
import { JOB_LIMITS } from '../limits.ts';
import { charsOf, shownName, valueTooLong } from './refusals.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Throws with the row, from 1. */
export function objectIn(text: string, row: number): JsonObject {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    throw invalidRequest(`Row ${row} is not valid JSON.`, `Række ${row} er ikke gyldig JSON.`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as JsonObject;
  }
  throw invalidRequest(
    `Row ${row} must be a JSON object.`,
    `Række ${row} skal være et JSON-objekt.`,
  );
}

export function cellOf(value: JsonObject, name: string, row: number): Cell {
  const cell = value[name];
  if (typeof cell === 'string') {
    if (cell.length > JOB_LIMITS.valueChars && charsOf(cell) > JOB_LIMITS.valueChars) {
      throw valueTooLong(row, name);
    }
    // PostgreSQL rejects NUL, and lone surrogates are no characters.
    return cell.includes('\0') || !cell.isWellFormed()
      ? cell.replaceAll('\0', '\ufffd').toWellFormed()
      : cell;
  }
  if (cell === null || typeof cell === 'boolean') return cell;
  if (typeof cell === 'number' && Number.isFinite(cell)) return cell;
  throw invalidRequest(
    `Row ${row}, column ${shownName(name)}: a value is a text, a number, true, false or null.`,
    `Række ${row}, kolonne ${shownName(name)}: en værdi er en tekst, et tal, true, false eller null.`,
  );
}
