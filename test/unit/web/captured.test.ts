import { describe, expect, test } from 'vitest';
import { besideCaptured } from '../../../src/web/dawa/captured.ts';

describe('an answer beside the captured one', () => {
  test('has a row of every member, in their order, and says what is missing', () => {
    const answer = { href: 'a', kode: 93, navn: 'Åmark', bbox: [1, 2, 3, 4] };
    expect(besideCaptured('/ejerlav/93', answer)).toEqual([
      { member: 'href', was: 'text', value: 'a' },
      { member: 'kode', was: 'number', value: 93 },
      { member: 'navn', was: 'text', value: 'Åmark' },
      { member: 'bbox', was: 'numbers', value: [1, 2, 3, 4] },
      { member: 'visueltcenter', was: 'numbers', value: undefined },
    ]);
  });

  test('reads objects and lists, of which it takes the first, and nulls above', () => {
    const answer = [
      { tekst: 'x', kommune: { kode: '0101', region: null, udenforkommuneinddeling: false } },
    ];
    const rows = besideCaptured('/kommuner/autocomplete?q=x', answer);
    const of = (member: string) => rows.find((each) => each.member === member);
    expect(rows[0]).toEqual({ member: 'tekst', was: 'text', value: 'x' });
    expect(of('kommune.kode')?.value).toBe('0101');
    expect(of('kommune.region.kode')).toEqual({
      ...{ member: 'kommune.region.kode', was: 'text', value: null },
    });
    expect(of('kommune.udenforkommuneinddeling')).toMatchObject({ was: 'boolean', value: false });
    const posts = besideCaptured('/vejnavne/x', { postnumre: [{ nr: '0093' }], kommuner: [] });
    expect(posts.find(({ member }) => member === 'postnumre.nr')?.value).toBe('0093');
    expect(posts.find(({ member }) => member === 'kommuner.kode')?.value).toBeNull();
  });

  test('takes the shape of what was suggested', () => {
    const members = (type: string) =>
      besideCaptured('/autocomplete?q=x', [{ type }]).map(({ member }) => member);
    expect(members('vejnavn')).toContain('data.navn');
    expect(members('adresse')).toContain('data.etage');
    expect(members('adgangsadresse')).not.toContain('data.etage');
  });

  test.each(['/datavask/adresser?betegnelse=x', '/adresser?format=csv', '/toString', '/'])(
    'is nothing where none was captured: %s',
    (path) => {
      expect(besideCaptured(path, { id: 1 })).toEqual([]);
    },
  );
});
