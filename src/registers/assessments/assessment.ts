/** `null`: the register leaves it open. */

export interface AssessmentRow {
  readonly id: number;
  readonly year: number;
  /** Kroner. 0 for a split property means no assessment (D113). */
  readonly propertyValue: number | null;
  readonly groundValue: number | null;
  readonly taxablePropertyValue: number | null;
  readonly taxableGroundValue: number | null;
  readonly area: number | null;
  readonly use: string | null;
  readonly legalCategory: string | null;
  readonly legalCategoryText: string | null;
  readonly changed: string | null;
  readonly propertyId: number | null;
  readonly municipalityCode: string | null;
  readonly propertyNumber: string | null;
}

export type SummarizedRow = Pick<
  AssessmentRow,
  'year' | 'propertyValue' | 'groundValue' | 'area' | 'propertyId'
>;

export interface SummarizedAssessments extends Omit<PropertyAssessments, 'rows'> {
  readonly rows: readonly SummarizedRow[];
}

export interface PropertyAssessments {
  /** Newest year first; within a year the latest change, then the highest id (D111). */
  readonly rows: readonly AssessmentRow[];
  readonly unresolved: number;
}
