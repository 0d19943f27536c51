export { guess } from '../guess.ts';
export { isNothing, withLetter } from '../kinds/address-values.ts';
export { unreadColumnsOf } from '../unread-columns.ts';
export { CsvRows } from './csv-rows.ts';
export { EncodingGuess, utf16Of } from './encoding.ts';
