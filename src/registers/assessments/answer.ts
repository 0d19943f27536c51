/** Writes assessments: the summary of a record (D113), and all rows (D112). */
import { SERVICE_VERSION } from '../../kernel/identity.ts';
import type { CodeField, CodeLabels } from '../../answers/codes.ts';
import type { AssessmentRow, SummarizedAssessments, SummarizedRow } from './assessment.ts';

/** D40. */
const CODE_LENGTH = 4;

/** null: no readable assessment, or a reference leads to no row, which may be the newest. */
export function assessmentSummary({ rows, unresolved }: SummarizedAssessments) {
  if (unresolved > 0) return null;
  const properties = byProperty(rows).length;
  // Never a single value, even if they are equal.
  if (properties > 1) {
    return { antal_vurderingsejendomme: properties, seneste: null, historik: [] };
  }
  const [latest, ...earlier] = yearsOf(rows);
  if (latest === undefined) return null;
  return {
    antal_vurderingsejendomme: properties,
    seneste: { ...valuesOf(latest), vurderet_areal_m2: latest.area },
    historik: earlier.map(valuesOf),
  };
}

export interface AnsweredAssessments {
  readonly bfe: number;
  readonly rows: readonly AssessmentRow[];
  readonly source: string;
  readonly labels: CodeLabels;
}

export function assessmentText({ bfe, rows, source, labels }: AnsweredAssessments): string {
  const properties = byProperty(rows);
  return JSON.stringify({
    bfe_nummer: bfe,
    antal_vurderingsejendomme: properties.length,
    vurderingsejendomme: properties.map((own) => propertyOf(own, labels)),
    meta: { kilde: source, service_version: SERVICE_VERSION },
  });
}

function propertyOf(rows: readonly AssessmentRow[], labels: CodeLabels) {
  const [first] = rows;
  const { propertyId = null, municipalityCode = null, propertyNumber = null } = first ?? {};
  return {
    id: propertyId === null ? null : String(propertyId),
    kommunenummer: municipalityCode && fourDigits(municipalityCode),
    ejendomsnummer: propertyNumber,
    vurderinger: rows.map((row) => ({
      ...valuesOf(row),
      ejendomsvaerdi_afgiftspligtig_kr: row.taxablePropertyValue,
      grundvaerdi_afgiftspligtig_kr: row.taxableGroundValue,
      vurderet_areal_m2: row.area,
      benyttelse: useOf(row, labels),
      juridisk_kategori: legalCategoryOf(row, labels),
      aendret: row.changed,
    })),
  };
}

/** The list has two digits; `kode` stays as in the register (D95). */
function useOf({ use }: AssessmentRow, labels: CodeLabels): CodeField | null {
  const field = labels.field('VurBenyttelse', use && use.padStart(2, '0'));
  return field && use ? { ...field, kode: use } : null;
}

function legalCategoryOf(row: AssessmentRow, labels: CodeLabels): CodeField | null {
  const { legalCategory: kode, legalCategoryText: tekst } = row;
  return kode && tekst ? { kode, tekst } : labels.field('VurJuridiskKategori', kode);
}

function valuesOf({ year, propertyValue, groundValue }: SummarizedRow) {
  return { aar: year, ejendomsvaerdi_kr: propertyValue, grundvaerdi_kr: groundValue };
}

function byProperty<R extends SummarizedRow>(rows: readonly R[]): (readonly R[])[] {
  const groups = [...Map.groupBy(rows, ({ propertyId }) => propertyId ?? Infinity)];
  return groups.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, own]) => own);
}

/**
 * One row per year, newest first: the latest change, then the highest id (D111). A year whose
 * latest row has no value is left out (D113): earlier rows no longer hold.
 */
function yearsOf(rows: readonly SummarizedRow[]): SummarizedRow[] {
  const years = [...Map.groupBy(rows, ({ year }) => year).values()];
  return years.flatMap(([row]) => (row === undefined || isNothing(row) ? [] : [row]));
}

function isNothing({ propertyValue, groundValue }: SummarizedRow): boolean {
  return (propertyValue ?? 0) === 0 && (groundValue ?? 0) === 0;
}

function fourDigits(code: string): string {
  return /^\d+$/.test(code) ? code.padStart(CODE_LENGTH, '0') : code;
}
