/** The operator's token and the sample's port, as settings. */
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';

describe('OPERATOR_TOKEN', () => {
  test('is off when absent or blank', () => {
    for (const given of [undefined, '', '   ']) {
      expect(loadConfig({ OPERATOR_TOKEN: given }).operatorToken).toBeNull();
    }
  });

  test('must be long enough to be no guess, and something a header can carry', () => {
    expect(loadConfig({ OPERATOR_TOKEN: ' opdigtet-noegle-1 ' }).operatorToken).toBe(
      'opdigtet-noegle-1',
    );
    for (const wrong of ['fifteen-letters', 'hemmelig med mellemrum', 'hemmelig-nøgle-af-længde']) {
      const load = () => loadConfig({ OPERATOR_TOKEN: wrong });
      expect(load).toThrow(/^OPERATOR_TOKEN must have at least 16 characters/);
      // The value itself is in no message.
      expect(load).not.toThrow(wrong);
    }
  });
});
