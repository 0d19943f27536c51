/**
 * `npm run check:openapi`: holds the published document against the recommended rules of redocly, as
 * it is with PUBLIC_URL set and without. Needs no store: the document says nothing of data.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryApp } from '../edge/edge.ts';

const REDOCLY = join(import.meta.dirname, '../../node_modules/.bin/redocly');

interface Report {
  readonly totals: { readonly errors: number; readonly warnings: number };
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }[];
}

const dir = mkdtempSync(join(tmpdir(), 'geoopslag-openapi-'));
try {
  for (const publicUrl of [null, 'https://geo.example']) {
    const file = join(dir, 'openapi.json');
    writeFileSync(file, await publishedDocument(publicUrl));
    report(lint(file));
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function publishedDocument(publicUrl: string | null): Promise<string> {
  const app = await memoryApp({}, { publicUrl });
  const document = JSON.stringify(app.swagger());
  await app.close();
  return document;
}

function lint(file: string): Report {
  const { stdout, stderr, error } = spawnSync(
    REDOCLY,
    ['lint', '--extends=recommended', '--format=json', '--max-problems=1000', file],
    {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  if (error !== undefined) throw error;
  if (!stdout.startsWith('{')) throw new Error(`redocly said no report: ${stdout}${stderr}`);
  return JSON.parse(stdout) as Report;
}

/** Warnings count as well: a rule that is not meant is switched off, not passed by. */
function report({ totals, problems }: Report): void {
  for (const { ruleId, message, location } of problems) {
    console.error(`${ruleId}: ${message} (${location[0]?.pointer ?? ''})`);
  }
  if (totals.errors + totals.warnings > 0) process.exitCode = 1;
}
