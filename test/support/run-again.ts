/**
 * A second run of the few files that failed. On a busy machine one of several thousand tests fails by
 * chance now and then; what fails alone as well is a failure, what does not is named as flaky.
 */
import type { FileReport } from './run-report.ts';
import type { Run } from './run-summary.ts';

/** More than these are no chance. */
const MOST_FILES = 3;

/** Files worth a second run; none where the run itself broke, or where too many failed. */
export function filesToRunAgain({ report }: Run): readonly FileReport[] {
  if (report === null || report.errors.length > 0) return [];
  const failed = report.files.filter(({ failures }) => failures.length > 0);
  return failed.length <= MOST_FILES ? failed : [];
}

/** `again`: runs of files of `first`. What passed there counts, and keeps what it said at first. */
export function withSecondRuns(first: Run, again: readonly Run[]): Run {
  if (first.report === null || again.length === 0) return first;
  const second = again.flatMap(({ report }) => report?.files ?? []);
  const files = first.report.files.map((file) => {
    const repeated = second.find((each) => each.file === file.file && each.lane === file.lane);
    if (repeated === undefined || repeated.failures.length > 0 || repeated.passed === 0)
      return file;
    return { ...repeated, flaky: file.failures };
  });
  const isMended = files.every(({ failures }) => failures.length === 0);
  return {
    seconds: first.seconds + again.reduce((sum, { seconds }) => sum + seconds, 0),
    status: isMended && again.every(({ status }) => status === 0) ? 0 : first.status,
    report: { ...first.report, files },
  };
}
