import { badParameter, badPath } from './failure.ts';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** As DAWA spelled it. */
const UUID_SHOWN = String.raw`^([0-9a-fA-F]{8}\-[0-9a-fA-F]{4}\-[0-9a-fA-F]{4}\-[0-9a-fA-F]{4}\-[0-9a-fA-F]{12})$`;

const reasonOf = (given: string): string =>
  `String does not match pattern ${UUID_SHOWN}: ${given.slice(0, 100)}`;

export function uuidOf(name: string, given: string): string {
  if (!UUID.test(given)) throw badParameter(name, reasonOf(given));
  return given.toLowerCase();
}

/** 404 for another form, as DAWA had it. */
export function pathUuid(name: string, given: string): string {
  if (!UUID.test(given)) throw badPath(name, reasonOf(given));
  return given.toLowerCase();
}

export function pathCode(name: string, given: string): string {
  if (!/^\d{1,4}$/.test(given)) throw badPath(name, 'notInteger');
  return given.padStart(4, '0');
}
