/** There is no live register (D112). */
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { CodeList } from '../../layers/code-lists.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import { ASSESSMENTS } from '../../layers/keys.ts';
import { isTorn } from '../../layers/published-copy.ts';
import { CodeLabels } from '../../answers/codes.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import { readCopy } from '../../core/standing/standing.ts';
import type { CopyDeps } from '../../core/standing/standing.ts';
import type { AssessmentsRead } from './store.ts';
import type { AnsweredAssessments } from './answer.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';

export interface AssessmentsDeps extends CopyDeps {
  readonly catalogue: Pick<Catalogue, 'registers'>;
  readonly read: (bfe: number) => Promise<AssessmentsRead>;
  readonly source: string;
  readonly onUnlistedCode?: (list: CodeList) => void;
}

export type AssessmentsAnswer = AnsweredAssessments & AnswerFacts;

export interface Assessments {
  /**
   * Throws not_found, upstream_error where it cannot be read, upstream_unavailable until mirrored.
   */
  find(bfe: number): Promise<AssessmentsAnswer>;
}

export function createAssessments(deps: AssessmentsDeps): Assessments {
  const labels = new CodeLabels((list) => deps.onUnlistedCode?.(list));
  return {
    find: async (bfe) => {
      const register = deps.catalogue.registers[ASSESSMENTS];
      const read = await readCopy(deps, register, () => deps.read(bfe));
      const { found, provenance } = read;
      if (isTorn(read.unread, String(bfe), found !== undefined)) throw torn(bfe);
      if (found === undefined) throw unknownTo(register.coverage, noneOf(bfe));
      if (found === null) throw tooMuch();
      if (found.unresolved > 0) throw broken(bfe);
      if (found.rows.length === 0) throw unknownTo(null, noneOf(bfe));
      return {
        bfe,
        rows: found.rows,
        source: deps.source,
        labels,
        generation: read.generation,
        provenance: [provenance],
      };
    },
  };
}

function noneOf(bfe: number) {
  return {
    error: `The property ${bfe} has no assessment.`,
    errorDa: `Ejendommen ${bfe} har ingen vurdering.`,
  };
}

function broken(bfe: number): Failure {
  return new Failure('upstream_error', {
    error: `The register refers to assessments of the property ${bfe} that it does not hold.`,
    errorDa: `Registret henviser til vurderinger af ejendommen ${bfe}, som det ikke har.`,
  });
}

/** Whether the row is this property's may be unknown (D143). */
function torn(bfe: number): Failure {
  return new Failure('upstream_error', {
    error: `The register holds rows of the property ${bfe} that cannot be read.`,
    errorDa: `Registret har rækker om ejendommen ${bfe}, som ikke kan læses.`,
  });
}

function tooMuch(): Failure {
  return new Failure('overloaded', {
    error: 'This property has more assessments than one answer may hold.',
    errorDa: 'Denne ejendom har flere vurderinger, end ét svar må rumme.',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}

export interface AssessmentLookups {
  readonly assessments: Assessments;
}
