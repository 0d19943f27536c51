/**
 * Reading rows as text of a table's type (`was::address_unit`) holds no lock on that type, so the
 * statement fails where a total replaces the table meanwhile.
 */
const TRIES = 4;
const OF_A_TYPE = /could not open relation with OID|cache lookup failed for (?:type|relation)/;

export async function readAgain<T>(read: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await read();
    } catch (error) {
      if (tried === TRIES || !(error instanceof Error) || !OF_A_TYPE.test(error.message)) {
        throw error;
      }
    }
  }
}
