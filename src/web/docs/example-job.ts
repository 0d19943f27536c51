/** A job of the visitor's own, in a state that fits what is tried of the example. */

/** The job that the examples of the document name. */
const EXAMPLE = /\/v1\/jobs\/job_7m2qxk4vd3hbn5zcw6ta(?:\/(\w+))?$/;
const ROWS = [
  { sag: 'A-1', øst: '647650,5', nord: 6314000 },
  { sag: 'A-2', øst: '647660,25', nord: 6314010 },
];
const LOOK_MS = 250;
const LOOKS = 80;

/** Asks as the visitor; throws where it is refused. */
type Ask = (path: string, body?: object) => Promise<{ readonly job: Job }>;

interface Job {
  readonly id: string;
  readonly status: string;
}

/** Whether a request is about the example's job. */
export function isOfExampleJob(pathname: string): boolean {
  return EXAMPLE.test(pathname);
}

/** The same request of a job made for it; none is made to be paused, as only a job that runs is. */
export async function ofOwnJob(
  { url, method }: { readonly url: string; readonly method: string },
  ask: Ask,
): Promise<string> {
  const [, what = ''] = EXAMPLE.exec(new URL(url).pathname) ?? [];
  if (what === 'pause' || what === 'resume') return url;
  const reads = method === 'GET';
  const columns = { x: 'øst', y: 'nord' };
  const body = { kind: 'dagi', rows: ROWS, columns, srid: 25832, label: 'Eksempel', start: reads };
  const { job } = await ask('v1/jobs', body);
  if (reads) await ended(job, ask);
  return url.replace(/job_7m2qxk4vd3hbn5zcw6ta/, job.id);
}

async function ended({ id }: Job, ask: Ask): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    const { job } = await ask(`v1/jobs/${id}`);
    if (job.status === 'completed') return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
