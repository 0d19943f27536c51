/** Public assessments of a property. `null`: the register leaves it open. */

export interface AssessmentRow {
  readonly id: number;
  /** As the register has it (D111). */
  readonly year: number;
  /** Kroner. 0 for a split property stands for no assessment (D113). */
  readonly propertyValue: number | null;
  readonly groundValue: number | null;
  readonly taxablePropertyValue: number | null;
  readonly taxableGroundValue: number | null;
  readonly area: number | null;
  readonly use: string | null;
  readonly legalCategory: string | null;
  /** The register's own text. */
  readonly legalCategoryText: string | null;
  /** Day of the Danish calendar. */
  readonly changed: string | null;
  /** The assessment property and its own figures. */
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
  /** References to assessments that the register does not hold. */
  readonly unresolved: number;
}
