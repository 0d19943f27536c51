/** The commands of the Danish guides, run as they stand against the sample; what they say is answered, is. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GUIDE_LIST } from '../../src/http/pages/guide-list.ts';
import { FAILURES } from '../../src/kernel/failures.ts';
import { startWholeService } from '../support/whole-service.ts';
import { opened, ownFolder } from '../support/opened.ts';

const DANISH = GUIDE_LIST.filter(({ language }) => language === 'da').map(({ name }) => name);
const textOf = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../docs/da', `${name}.md`), 'utf8');

const dir = ownFolder('da');
const service = await opened(startWholeService({ DAWA: 'on' }));

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
