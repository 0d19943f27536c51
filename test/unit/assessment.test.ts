/** Assessments as they are answered: which row stands for a year, and what is none (D111 to D113). */
import { describe, expect, test } from 'vitest';
import { assessmentSummary, assessmentText } from '../../src/registers/assessments/answer.ts';
import { CodeLabels } from '../../src/answers/codes.ts';
import type { AssessmentRow } from '../../src/registers/assessments/assessment.ts';

const row = (year: number, value: number | null, more: Partial<AssessmentRow> = {}) => ({
  ...{ id: year, year, propertyValue: value, groundValue: value === null ? null : value / 10 },
  ...{ taxablePropertyValue: null, taxableGroundValue: null, area: 120, use: '01' },
  ...{ legalCategory: null, legalCategoryText: null, changed: `${year}-10-01` },
  ...{ propertyId: 7, municipalityCode: '91', propertyNumber: '001234', ...more },
});
const labels = new CodeLabels(() => undefined);
const summary = (...rows: AssessmentRow[]) => assessmentSummary({ rows, unresolved: 0 });

// The newest year, the first of its rows and the years before: the recorded example of a property.
describe('the summary', () => {
  test('is not of a year whose row has no value, nor of what was said of it before', () => {
    const nought = row(2022, 0);
    expect(summary(nought, row(2022, 500), row(2020, 400))?.seneste?.aar).toBe(2020);
    expect(summary(row(2022, null), row(2020, 0))).toBeNull();
    // One of the two is enough for an assessment.
    expect(summary(row(2022, 0, { groundValue: 9 }))?.seneste).toMatchObject({
      ejendomsvaerdi_kr: 0,
      grundvaerdi_kr: 9,
    });
  });

  test('of two assessment properties has no value, and of no row is none', () => {
    const none = { antal_vurderingsejendomme: 2, seneste: null, historik: [] };
    expect(summary(row(2022, 500), row(2022, 500, { propertyId: 8 }))).toEqual(none);
    expect(summary()).toBeNull();
  });
});

test('the detail keeps every row by its assessment property, nought as nought and empty as null', () => {
  const rows = [
    row(2022, 0, { propertyId: 9, propertyNumber: null }),
    row(2022, 500),
    row(2022, null, { id: 1, changed: null }),
    row(2020, 400, { propertyId: null, municipalityCode: null, propertyNumber: null }),
  ];
  const told = JSON.parse(assessmentText({ bfe: 5, rows, source: 'VUR', labels })) as {
    vurderingsejendomme: { id: string; kommunenummer: string; vurderinger: unknown[] }[];
  };
  expect(told).toMatchObject({ bfe_nummer: 5, antal_vurderingsejendomme: 3 });
  expect(
    told.vurderingsejendomme.map((each) => [each.id, each.kommunenummer, each.vurderinger.length]),
  ).toEqual([
    ['7', '0091', 2],
    ['9', '0091', 1],
    [null, null, 1],
  ]);
  expect(told.vurderingsejendomme[0]?.vurderinger[1]).toEqual({
    ...{ aar: 2022, ejendomsvaerdi_kr: null, grundvaerdi_kr: null, vurderet_areal_m2: 120 },
    ...{ ejendomsvaerdi_afgiftspligtig_kr: null, grundvaerdi_afgiftspligtig_kr: null },
    ...{ benyttelse: { kode: '01', tekst: 'Beboelse' }, juridisk_kategori: null, aendret: null },
  });
});

test('codes have their texts: of the list, of the register, or as unknown ones, which are told of', () => {
  const unlisted: string[] = [];
  const counting = new CodeLabels((list) => unlisted.push(list));
  const codes = (more: Partial<AssessmentRow>): unknown => {
    const rows = [row(2022, 500, more)];
    const told = JSON.parse(assessmentText({ bfe: 5, rows, source: 'VUR', labels: counting })) as {
      vurderingsejendomme: { vurderinger: Record<string, unknown>[] }[];
    };
    const { benyttelse, juridisk_kategori } = told.vurderingsejendomme[0]!.vurderinger[0]!;
    return [benyttelse, juridisk_kategori];
  };
  expect(codes({ use: '8', legalCategory: '1100', legalCategoryText: 'Ejerbolig' })).toEqual([
    { kode: '8', tekst: 'Sommerhus' },
    { kode: '1100', tekst: 'Ejerbolig' },
  ]);
  expect(codes({ use: null, legalCategoryText: 'Ejerbolig' })).toEqual([null, null]);
  expect(codes({ use: '', legalCategory: '' })).toEqual([null, null]);
  expect(unlisted).toEqual([]);
  expect(codes({ use: 'ZZ', legalCategory: '9' })).toEqual([
    { kode: 'ZZ', tekst: 'Ukendt kode' },
    { kode: '9', tekst: 'Ukendt kode' },
  ]);
  expect(unlisted).toEqual(['VurBenyttelse', 'VurJuridiskKategori']);
});
