/** Part of `npm run gen`: writes the rows of src/settings.ts into the document and into compose. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GROUPS, SETTINGS } from '../src/settings.ts';

const ROOT = join(import.meta.dirname, '..');
/** The image sets these, and compose does not; nor what the client of jobs alone reads. */
const NOT_OF_COMPOSE = /^(HOST|PORT|DATA_DIR|GEOOPSLAG_.*)$/;
const COMPOSE_DEFAULTS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://geoopslag@store:5432/geoopslag',
  SOURCES: 'sample',
};

/** Before the tables: a role is its first letter there. */
const LEGEND = 'Used by: **F**ront, **W**orker, **D**ispatcher, **S**ync, client of **J**obs.\n\n';

/** Each file with its part between two lines that stay. */
export function settingFiles(): Readonly<Record<string, string>> {
  const tables = GROUPS.map(
    ({ heading, rows }) =>
      `### ${heading}\n\n${tableOf([
        ['Variable', 'Default', 'Meaning', 'Used by'],
        ...rows.map((row) => [
          `\`${row.name}\``,
          usualOf(row),
          row.words,
          row.roles.map((role) => role.charAt(0).toUpperCase()).join(''),
        ]),
      ])}\n\n`,
  );
  const files = SETTINGS.filter(({ isSecret }) => isSecret).map(({ name }) => `\`${name}_FILE\``);
  const last = files.pop();
  const secrets = `A secret can be in a file of one line, named by ${files.join(', ')} or ${last} instead of the setting\nitself; `;
  const passed = SETTINGS.filter(({ name }) => !NOT_OF_COMPOSE.test(name)).map(
    ({ name }) => `  ${name}: \${${name}:-${COMPOSE_DEFAULTS[name] ?? ''}}\n`,
  );
  return {
    'docs/settings.md': between(
      'docs/settings.md',
      [LEGEND, 'never both.'],
      `${tables.join('')}${secrets}`,
    ),
    'docker-compose.yml': between(
      'docker-compose.yml',
      ['x-settings: &settings\n', '  # The driver'],
      passed.join(''),
    ),
  };
}

/** As the document tells it: stated in the row, or what is read where nothing is set. */
function usualOf({ name, usual, read }: (typeof GROUPS)[number]['rows'][number]): string {
  if (usual !== undefined) return usual;
  const value = (read?.({}, name) ?? null) as string | number | boolean | readonly string[] | null;
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  return typeof value === 'boolean' ? `\`${value ? 'on' : 'off'}\`` : `\`${value.toString()}\``;
}

/** Padded as the formatter does. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const [head = []] = rows;
  const widths = head.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const lines = [head, widths.map((width) => '-'.repeat(width)), ...rows.slice(1)];
  return lines
    .map((cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`)
    .join('\n');
}

function between(path: string, [first, next]: readonly [string, string], text: string): string {
  const before = readFileSync(join(ROOT, path), 'utf8');
  const from = before.indexOf(first) + first.length;
  return before.slice(0, from) + text + before.slice(before.indexOf(next, from));
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(settingFiles())) {
    writeFileSync(join(ROOT, path), text);
  }
}
