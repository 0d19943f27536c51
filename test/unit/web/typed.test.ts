/** What the search field takes, told by its shape. */
import { describe, expect, test } from 'vitest';
import { isLikeParcel } from '../../../src/layers/parcel-text.ts';
import { typedOf } from '../../../src/web/shared/typed.ts';
import { PARCELS, WRITTEN } from '../../support/parcel-texts.ts';

describe('a typed text is', () => {
  test.each([
    ['9100001', '9100001', null],
    ['BFE 9100001', '9100001', null],
    ['bfe-nr. 12', '12', null],
    ['BFE-nummer: 100 200 300', '100200300', null],
    ['12345678', '12345678', '12345678'],
    ['CVR 12345678', null, '12345678'],
    ['cvr-nr. 12 34 56 78', null, '12345678'],
    ['12 34 56 78', null, '12345678'],
    // Wrong as a company's number: the service says why.
    ['cvr 123', null, '123'],
    ['00012345', '12345', '00012345'],
  ])('a number: %s', (text, bfe, cvr) =>
    expect(typedOf(text)).toEqual({ kind: 'number', bfe, cvr }),
  );

  test.each(['1012345678', 'P-nummer 1012345678', 'p 12'])('of a production unit: %s', (text) =>
    expect(typedOf(text)).toEqual({ kind: 'production-unit' }),
  );

  test.each([
    ...['', 'Prøvegade 12', '12a Hellerup', '9900093 1a', '9900093, 12', 'Cvr', 'BFE'],
    ...['Pilevej 3', 'P. Knudsens Gade 8'],
  ])('a name: %s', (text) => expect(typedOf(text)).toEqual({ kind: 'text' }));
});

test.each([...['12a Hellerup', '7 Skitsebjerg By', '1aq, Skits', '9900093 1a', '990077, 12']])(
  'a parcel may be meant: %s',
  (text) => expect(isLikeParcel(text)).toBe(true),
);

test.each(PARCELS)('the parcel %s%s of %s may be meant in every spelling', (d, l, name, code) => {
  const texts = WRITTEN.map((write) => write(d, l, name, code));
  expect(texts.filter((text) => !isLikeParcel(text) || typedOf(text).kind !== 'text')).toEqual([]);
});

test.each(['Prøvegade 12', '12', '12a', '56,95 11,38', '644877 6314760', '12 34 56 78', 'midtby'])(
  'no parcel is meant: %s',
  (text) => expect(isLikeParcel(text)).toBe(false),
);
