/** A real Prometheus with the scrape settings of deploy/monitoring, on a service of the test. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end } from './crash-kit.ts';
import { MONITORING, readMonitoring } from './monitoring.ts';
import { until } from './until.ts';
import { freePort } from './free-port.ts';

export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [at: number, value: string];
}

export interface Prometheus {
  /** Throws for a query that it does not understand. */
  query(expr: string): Promise<readonly Sample[]>;
  close(): Promise<void>;
}

/** Scrapes `base` every 2 s; an answer that takes longer is none, and ends all series. */
export async function startPrometheus(base: string, token: string): Promise<Prometheus> {
  const dir = mkdtempSync(join(tmpdir(), 'geoopslag-prometheus-'));
  writeFileSync(join(dir, 'token'), token);
  writeFileSync(join(dir, 'prometheus.yml'), settingsFor(new URL(base).host, join(dir, 'token')));
  const address = `127.0.0.1:${await freePort()}`;
  const program = spawn(
    'prometheus',
    [
      `--config.file=${join(dir, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(dir, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  program.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const close = async (): Promise<void> => {
    await end(program);
    rmSync(dir, { recursive: true, force: true });
  };
  const isReady = () =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isReady, { by: program, everyMs: 50, seen: () => said }).catch(
    async (error: unknown) => {
      await close();
      throw error;
    },
  );
  return { query: (expr) => ask(address, expr), close };
}

/** As shipped, with what only the place of installation knows. */
function settingsFor(target: string, tokenFile: string): string {
  const known: readonly (readonly [RegExp, string])[] = [
    [/15s/g, '2s'],
    [/\/run\/secrets\/metrics_token/, tokenFile],
    [/dns_sd_configs:\s+- \{.*\}/, `static_configs: [{ targets: ['${target}'] }]`],
    [/rules\.yml/, join(MONITORING, 'rules.yml')],
  ];
  return known.reduce((text, [shipped, here]) => {
    if (text.search(shipped) < 0) throw new Error(`prometheus.yml has no ${shipped.source}.`);
    return text.replace(shipped, here);
  }, readMonitoring('prometheus.yml'));
}

async function ask(address: string, expr: string): Promise<readonly Sample[]> {
  const body = new URLSearchParams({ query: expr });
  const answer = await fetch(`http://${address}/api/v1/query`, { method: 'POST', body });
  const told = (await answer.json()) as { error?: string; data: { result: Sample[] } };
  if (!answer.ok) throw new Error(`${expr}: ${told.error}`);
  return told.data.result;
}
