export { CELL_END, ROW_END, numberOf, numberWritten, textOf } from '../core/rows/cells.ts';
export type { Cell, Row } from '../core/rows/cells.ts';
export { BYTE_ORDER_MARK, DANISH, csvText } from '../core/rows/csv-cells.ts';
export { checkColumnCount, lineTooLong, tooManyRows } from './intake/refusals.ts';
export { invalidRequest } from '../kernel/failures.ts';
export {
  CHARSETS,
  KINDS,
  KIND_TERMS,
  SRIDS,
  STATUS_TERMS,
  answeredKind,
  hasRoles,
  ofOneWay,
  rolesOf,
  unitsOfRow,
} from '../core/rows/job-types.ts';
export type { Charset, Kind, Role, RoleColumns, Srid, Status } from '../core/rows/job-types.ts';
export { ACTIONS, hasEnded, mayBeDeleted, statusAfter } from './state.ts';
export type { Action } from './state.ts';
export { JOB_LIMITS } from './limits.ts';
export type { DecimalSign } from '../core/rows/guess.ts';
