/** These run in browsers too. */
export { guess } from '../../core/rows/guess.ts';
export { isNothing, withLetter } from '../../core/rows/address-values.ts';
export { unreadColumnsOf } from '../../core/rows/unread-columns.ts';
export { CsvRows } from './csv-rows.ts';
export { cellOf, objectIn } from './json-row.ts';
export { EncodingGuess, utf16Of } from './encoding.ts';
