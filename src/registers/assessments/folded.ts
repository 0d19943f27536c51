import type { AssessmentRow, PropertyAssessments } from './assessment.ts';

export interface FoldedAssessments {
  /** JSON array of `Cells`; null: over the size limit. */
  readonly assessments: string | null;
  readonly unresolved: number;
}

type Cells = readonly [
  id: number,
  year: number,
  propertyValue: number | null,
  groundValue: number | null,
  taxablePropertyValue: number | null,
  taxableGroundValue: number | null,
  area: number | null,
  use: string | null,
  legalCategory: string | null,
  changed: string | null,
  propertyId: number | null,
  municipalityCode: string | null,
  propertyNumber: string | null,
  /** Absent: the register sent none. */
  legalCategoryText?: string,
];

/** null: over the size limit. */
export function assessmentsOf({
  assessments,
  unresolved,
}: FoldedAssessments): PropertyAssessments | null {
  if (assessments === null) return null;
  return { rows: (JSON.parse(assessments) as readonly Cells[]).map(rowOf), unresolved };
}

function rowOf(cells: Cells): AssessmentRow {
  return {
    id: cells[0],
    year: cells[1],
    propertyValue: cells[2],
    groundValue: cells[3],
    taxablePropertyValue: cells[4],
    taxableGroundValue: cells[5],
    area: cells[6],
    use: cells[7],
    legalCategory: cells[8],
    changed: cells[9],
    propertyId: cells[10],
    municipalityCode: cells[11],
    propertyNumber: cells[12],
    legalCategoryText: cells[13] ?? null,
  };
}
