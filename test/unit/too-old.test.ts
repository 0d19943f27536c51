/** What a copy past its hard limit is told as, where nothing else answers (D149). */
import { expect, test } from 'vitest';
import { PROTECTION, REGISTER_IDS } from '../../src/layers/keys.ts';
import { tooOld } from '../../src/core/standing/standing.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';

/** Listed buildings have no route of their own: `fredning` is null then. */
const ANSWERED = REGISTER_IDS.filter((id) => id !== PROTECTION);

test.each(ANSWERED)(
  '%s: 503, of assessments 502, as the document says; and when to come again',
  (id) => {
    const register = REGISTERS_CATALOGUE.registers[id];
    const { status, type, retryAfterS, message, errorDa } = tooOld(register);
    expect([status, type]).toEqual(
      id === 'vurdering' ? [502, 'upstream_error'] : [503, 'upstream_unavailable'],
    );
    expect(retryAfterS).toBe(60);
    expect(message).toMatch(/older than it may be\.$/);
    expect(errorDa).toMatch(/ældre, end den må være\.$/);
  },
);
