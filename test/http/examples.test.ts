/**
 * The examples of the published document and the Danish guides against the whole service over the sample, as
 * somebody sends them who presses Execute in /docs. A new operation has its request in the examples.json
 * beside its routes; its answer is written there by `npm run record`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { GUIDE_LIST } from '../../src/http/pages/guide-list.ts';
import { exampleFiles } from '../../src/http/v1/published.ts';
import { FAILURES } from '../../src/kernel/failures.ts';
import type { Example } from '../../src/core/document.ts';
import { REGISTERS } from '../../src/registers.ts';
import { EXAMPLE_ID } from '../../src/http/v1/jobs/examples.ts';
import { isOfExampleJob, ofOwnJob } from '../../src/web/docs/example-job.ts';
import { ownFolder } from '../support/opened.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { useWholeService } from '../support/use-whole-service.ts';
import { operationsOf, requestOf } from '../edge/documented.ts';
import { metricsMissing } from '../support/monitoring.ts';
import type { DocumentedOperation } from '../edge/documented.ts';
import { readText } from '../support/repository.ts';

type Examples = Record<string, Example>;
const FILES = exampleFiles(REGISTERS.map(({ document }) => document)).map(
  (file) => [file, JSON.parse(readFileSync(file, 'utf8')) as Examples] as const,
);
const RECORDED: Examples = Object.fromEntries(
  FILES.flatMap(([, examples]) => Object.entries(examples)),
);

/** Lists of a recorded answer that is another each time are cut to this. */
const SHORT = 2;

const service = useWholeService();
let operations: DocumentedOperation[];
beforeAll(async () => {
  const document = await fetch(`${service.base}/openapi.json`).then((answer) => answer.json());
  operations = operationsOf(document);
});

/** What needs somebody signed in, changes the data for all, or follows on a job: tried elsewhere. */
function isTriedHere({ method, path, security }: DocumentedOperation): boolean {
  const asks = security.flatMap((each) => Object.keys(each));
  const byKeyOrNobody = security.length === 0 || asks.includes('apiKey');
  const asked = ['/v1/jobs', '/v1/forhold/omraade'];
  const reads = method === 'get' || path.endsWith(':batch') || asked.includes(path);
  return reads && !path.startsWith('/v1/jobs/{') && (byKeyOrNobody || asks.includes('operator'));
}

async function execute(operation: DocumentedOperation, change = (url: string) => url) {
  const { url, body } = requestOf(operation);
  const operated = operation.security.some((each) => 'operator' in each);
  return await fetch(`${service.base}${change(url)}`, {
    method: operation.method.toUpperCase(),
    headers: {
      ...(operation.security.length > 0 && {
        authorization: `Bearer ${operated ? service.operatorToken : service.key}`,
      }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/**
 * The service and its sample registers take free ports here; the examples have the usual ones. When the
 * listed buildings were last read is another moment each time, and so is the age of a condition. By night there
 * are several request threads, which `/readyz` counts.
 */
function asShown(text: string): string {
  return text
    .replaceAll(service.base, 'http://localhost:8080')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:8081')
    .replaceAll('http://localhost:8080', 'http://127.0.0.1:8080')
    .replaceAll(/,"threads":\{[^}]*\}/g, '')
    .replaceAll(/"alder_s":\d+/g, '"alder_s":60')
    .replaceAll(/"hentet":"[^"]+"/g, '"hentet":"2026-11-01T02:00:00.000Z"');
}

test('every lookup, batch and page answers its own example, which is the answer shown', async () => {
  const tried = operations.filter(isTriedHere);
  expect(tried.length).toBeGreaterThanOrEqual(27);
  for (const operation of tried) {
    const { operationId } = operation;
    const answer = await execute(operation);
    const text = asShown(await answer.text());
    const recorded = RECORDED[operationId];
    expect(answer.status, `${operationId}: ${text}`).toBe(
      recorded?.status ?? (operationId === 'createJob' ? 201 : 200),
    );
    if (recorded === undefined) continue;
    if (process.env['RECORD_EXAMPLES'] === '1') {
      RECORDED[operationId] = shown(recorded, answer, text);
    } else if (recorded.varies !== true && answer.ok) {
      expect(JSON.parse(text), operationId).toEqual(recorded.value);
    }
  }
  if (process.env['RECORD_EXAMPLES'] === '1') {
    for (const [file, examples] of FILES) {
      const recorded = Object.keys(examples).map((id) => [id, RECORDED[id]] as const);
      writeFileSync(file, `${JSON.stringify(Object.fromEntries(recorded), null, 2)}\n`);
    }
  }
});

test('/metrics has every name that the alert rules and the dashboard ask for', async () => {
  const headers = { authorization: `Bearer ${service.operatorToken}` };
  const scrape = await fetch(`${service.base}/metrics`, { headers });
  expect(metricsMissing(await scrape.text())).toEqual([]);
  expect(metricsMissing('# TYPE geoopslag_store_up gauge').length).toBeGreaterThan(30);
});

test('every operation of a job runs as the documentation page asks it, of a job made for it', async () => {
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(`${service.base}/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as {
      readonly job: { readonly id: string; readonly status: string };
    };
  };
  const tried: string[] = [];
  for (const operation of operations.filter(({ path }) => path.startsWith('/v1/jobs/{'))) {
    const method = operation.method.toUpperCase();
    const example = new URL(requestOf(operation).url, service.base);
    expect(isOfExampleJob(example.pathname), operation.operationId).toBe(true);
    const execution = async () => {
      const own = await ofOwnJob({ url: example.href, method }, ask);
      return await execute(operation, () => own.slice(service.base.length));
    };
    let answer = await execution();
    // A machine that stood still meanwhile: the job ended before it was paused.
    for (let more = 0; answer.status === 409 && more < 5; more++) answer = await execution();
    expect(answer.status, `${operation.operationId}: ${await answer.text()}`).toBeLessThan(300);
    tried.push(operation.operationId);
  }
  expect(tried).toEqual(
    expect.arrayContaining(['pauseJob', 'resumeJob', 'deleteJob', 'jobEvents']),
  );
});

test('a job is made, read and downloaded by the examples of its operations', async () => {
  const find = (id: string) => operations.find(({ operationId }) => operationId === id)!;
  const made = await execute(find('createJob'));
  const { job } = (await made.json()) as { job: { id: string } };
  const asThis = (url: string) => url.replace(EXAMPLE_ID, job.id);
  await expect
    .poll(
      async () => {
        const answer = await execute(find('job'), asThis);
        return ((await answer.json()) as { job: { status: string } }).job.status;
      },
      { timeout: 2 * HANG_MS, interval: 250 },
    )
    .toBe('completed');
  for (const id of ['jobResults', 'jobErrors', 'jobEvents']) {
    const operation = find(id);
    const answer = await execute(operation, asThis);
    expect(answer.status, id).toBe(200);
    const text = await answer.text();
    const example = operation.answers['text/csv'];
    // Byte for byte, but for the mark at its beginning.
    if (example !== undefined) expect(text.replace(/^\ufeff/, ''), id).toBe(example);
  }
});

/** The commands of the Danish guides, run as they stand; what they say is answered, is. */
const DANISH = GUIDE_LIST.filter(({ language }) => language === 'da').map(({ name }) => name);
const textOf = (name: string): string => readText(`docs/da/${name}.md`);
const dir = ownFolder('da');

/** Stops at the first that does not answer; `# svarer 404` is a command that is to be refused so. */
function run(block: string): string {
  const commands = block
    .replaceAll(/^(?:URL|KEY)=.*$/gm, '')
    .replaceAll(
      /^curl (.*) # svarer (\d+)$/gm,
      `test $2 = "$(curl -s -o refused -w '%{http_code}' $1)"`,
    )
    .replaceAll(/\bcurl (?!-s )/g, "curl -sS --fail-with-body -w '\u001E' ");
  const env = { ...process.env, URL: service.base, KEY: service.key };
  return execFileSync('sh', ['-euc', commands], { cwd: dir, env, encoding: 'utf8' });
}

describe.each(DANISH)('docs/da/%s.md', (name) => {
  const text = textOf(name);
  const blocks = [...text.matchAll(/^```(sh|json)\n(.*?)^```$/gms)];

  test('has a heading, and is answered as it says', () => {
    expect(text).toMatch(/^# .+\n/);
    let said: unknown = null;
    for (const [, language, code = ''] of blocks) {
      if (language === 'json') expect(said, code).toMatchObject(JSON.parse(code) as object);
      else {
        const last =
          run(code)
            .split('\u001E')
            .findLast((part) => part.trim() !== '') ?? '';
        said = last.trim().startsWith('{') ? JSON.parse(last) : null;
      }
    }
  });
});

test('every class of failure is in the guide to them', () => {
  const guide = textOf('fejl-og-graenser');
  expect(Object.keys(FAILURES).filter((type) => !guide.includes(`\`${type}\``))).toEqual([]);
});

function shown(recorded: Example, answer: Response, text: string): Example {
  const { request, body, texts, status, varies } = recorded;
  // Another each time: what stands there is kept, so that a new recording changes nothing.
  if ((varies === true || !answer.ok) && (recorded.value ?? recorded.answers) !== undefined)
    return recorded;
  const asked = {
    request,
    ...(body !== undefined && { body }),
    ...(texts && { texts }),
    ...(status && { status }),
    ...(varies && { varies }),
  };
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
  if (type !== 'application/json') return { ...asked, answers: { [type]: firstLines(text) } };
  const value: unknown = JSON.parse(text);
  return { ...asked, value: varies === true ? cut(value) : value };
}

function firstLines(text: string): string {
  return `${text.split('\n').slice(0, 6).join('\n')}\n`;
}

function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, SHORT).map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner)]));
}
