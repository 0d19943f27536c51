/** The job that the examples of the document name. */
const EXAMPLE = /\/v1\/jobs\/job_7m2qxk4vd3hbn5zcw6ta(?:\/(\w+))?$/;
const SHORT = {
  kind: 'dagi',
  rows: [
    { sag: 'A-1', øst: '647650,5', nord: 6314000 },
    { sag: 'A-2', øst: '647660,25', nord: 6314010 },
  ],
  columns: { x: 'øst', y: 'nord' },
  srid: 25832,
  label: 'Eksempel',
};
/** Rows that keep a job running for seconds and cost nothing: none is found. */
const LONG_ROWS = 5_000;
const LOOK_MS = 50;
const LOOKS = 400;

/** Throws where it is refused. */
type Ask = (path: string, body?: object) => Promise<{ readonly job: Job }>;

interface Job {
  readonly id: string;
  readonly status: string;
}

export function isOfExampleJob(pathname: string): boolean {
  return EXAMPLE.test(pathname);
}

/** The same request of a job made for it. */
export async function ofOwnJob(
  { url, method }: { readonly url: string; readonly method: string },
  ask: Ask,
): Promise<string> {
  const [, what = ''] = EXAMPLE.exec(new URL(url).pathname) ?? [];
  const isLong = what === 'pause' || what === 'resume';
  const reads = method === 'GET';
  const { job } = await ask('v1/jobs', isLong ? long() : { ...SHORT, start: reads });
  if (isLong) await reaches('running', job, ask);
  else if (reads) await reaches('completed', job, ask);
  if (what === 'resume') await ask(`v1/jobs/${job.id}/pause`, {});
  return url.replace(/job_7m2qxk4vd3hbn5zcw6ta/, job.id);
}

function long(): object {
  const rows = Array.from({ length: LONG_ROWS }, (_, n) => ({
    adresse: `Findes slet ikke zzqx ${n}`,
  }));
  return { kind: 'datavask', rows, label: SHORT.label };
}

async function reaches(status: string, { id }: Job, ask: Ask): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    const { job } = await ask(`v1/jobs/${id}`);
    if (job.status === status) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
