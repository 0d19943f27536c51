/**
 * What the page of jobs takes of this room; it runs in browsers. Workbooks and the sentences of failed rows are
 * apart: the page loads them when they are needed.
 */
export { CELL_END, ROW_END, numberOf, textOf } from './cells.ts';
export type { Cell, Row } from './cells.ts';
export { guess, hasRoles, numberWritten } from './guess.ts';
export type { DecimalSign } from './guess.ts';
export { CsvRows } from './intake/csv-rows.ts';
export { CHARSETS, EncodingGuess, utf16Of } from './intake/encoding.ts';
export type { Charset } from './intake/encoding.ts';
export { refusal, tooManyRows } from './intake/refusals.ts';
export { KINDS, KIND_ROLES, SRIDS, rolesOf } from './job-types.ts';
export type { Kind, Role, RoleColumns, Srid, Status } from './job-types.ts';
export { ACTIONS, hasEnded, mayBeDeleted, statusAfter } from './state.ts';
export type { Action } from './state.ts';
export { JOB_LIMITS } from './limits.ts';
