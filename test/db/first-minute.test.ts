/**
 * The first minute of the service as a newcomer starts it, over the embedded store, where a machine is not
 * as ours are: each start ends in an answer. By night: a start mirrors all of the sample. By day .ci/smoke
 * starts it once in such a place, and test/unit/start.test.ts has the starts that end in a sentence.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { isHeavy } from '../support/run-settings.ts';
import { startProgram } from '../support/whole-service.ts';
import type { StartedProgram } from '../support/whole-service.ts';

const root = mkdtempSync(join(tmpdir(), 'geoopslag-first-minute-'));
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

const byNight = test.runIf(isHeavy && process.env['TEST_STORE'] === 'embedded');

const started: StartedProgram[] = [];
afterEach(async () => {
  for (const program of started.splice(0)) await program.stop();
});

function start(dataDir: string, settings: Readonly<Record<string, string>> = {}): StartedProgram {
  const program = startProgram({ DATA_DIR: dataDir, DATABASE_URL: '', ...settings });
  started.push(program);
  return program;
}

const keyOf = (program: StartedProgram): Promise<string> =>
  program.until((said) => /(svc_test_\w+)/.exec(said)?.[1]);

/** README's first question, once the sample is mirrored. */
async function expectAnswer(program: StartedProgram, key: string): Promise<void> {
  const url = `${await program.base()}/v1/natur/skovbyggelinje?lon=11.4273191&lat=56.9460274`;
  const answer = await program.until(async () => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    const { skov } = (await response.json()) as { skov?: { inden_for: boolean | null } };
    return skov?.inden_for === null ? undefined : { status: response.status, skov };
  });
  expect(answer).toMatchObject({ status: 200, skov: { inden_for: true, afstand_m: -111.8 } });
}

byNight(
  'a folder of blanks, umlauts and links, rights for nobody else and a dead proxy',
  async () => {
    const folder = join(root, 'Mit hjem å æ 100%');
    mkdirSync(folder);
    symlinkSync(folder, join(root, 'link'));
    const dead = 'http://127.0.0.1:1';
    const umask = process.umask(0o077);
    const program = start(join(root, 'link', 'data dir'), {
      ...{ http_proxy: dead, https_proxy: dead, HTTP_PROXY: dead, HTTPS_PROXY: dead },
      no_proxy: '',
    });
    process.umask(umask);
    await expectAnswer(program, await keyOf(program));
    expect(statSync(join(folder, 'data dir')).mode & 0o077).toBe(0);
  },
);

byNight.each([0, 300, 1_000, 2_500, 5_000])(
  'killed %s ms after its first word, and started again',
  async (ms) => {
    const dataDir = join(root, `killed-${ms}`);
    const first = start(dataDir);
    await sleep(500 + ms);
    await first.kill();
    const second = start(dataDir);
    // The key is told once: by the first, if it came so far.
    const said = await second.until((text) => (/listens on/.test(text) ? text : undefined));
    if (/svc_test_/.test(said)) await expectAnswer(second, await keyOf(second));
    else await expectAnswer(second, await keyOf(first));
  },
);

byNight('twice at once in one folder', async () => {
  const both = [start(join(root, 'twice')), start(join(root, 'twice'))];
  const [base, other] = await Promise.all(both.map((program) => program.base()));
  expect(base).not.toBe(other);
  // One of them has made the key, and both know it.
  const key = await Promise.any(both.map(keyOf));
  for (const program of both) await expectAnswer(program, key);
});
