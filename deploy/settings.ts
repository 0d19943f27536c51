/**
 * Part of `npm run gen`: writes settings into their document and compose, the kinds of jobs into their document and
 * a file that browsers read, what a small dump leaves out into that of backups, and what operations are called into
 * a file of `/konto`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS } from '../src/core/rows/job-types.ts';
import type { KindTerms } from '../src/core/rows/job-types.ts';
import { storeTables } from '../src/layers/register-tables.ts';
import { REGISTERS, REGISTERS_CATALOGUE } from '../src/registers.ts';
import { GROUPS, SETTINGS } from '../src/settings.ts';

const QUESTIONS = REGISTERS.flatMap(({ questions }) => questions);
const ROOT = join(import.meta.dirname, '..');
/** The image sets these, and compose does not; nor what the client of jobs alone reads. */
const NOT_OF_COMPOSE = /^(HOST|PORT|DATA_DIR|GEOOPSLAG_.*)$/;
const COMPOSE_DEFAULTS: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://geoopslag@store:5432/geoopslag',
  SOURCES: 'sample',
};

/** Each file whole, of most a part between two lines that stay. */
export function generatedFiles(): Readonly<Record<string, string>> {
  const kinds = statedKinds();
  const tables = GROUPS.map(
    ({ heading, roles, rows }) =>
      `### ${heading}\n\nUsed by ${roles.join(', ')}.\n\n${tableOf([
        ['Variable', 'Default', 'Meaning', 'Used by'],
        ...rows.map((row) => [
          ...[`\`${row.name}\``, usualOf(row), row.words],
          row.roles === roles ? '' : row.roles.join(', '),
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
      ['## Settings\n\n', 'never both.'],
      `${tables.join('')}${secrets}`,
    ),
    'docker-compose.yml': between(
      'docker-compose.yml',
      ['x-settings: &settings\n', '  # The driver'],
      passed.join(''),
    ),
    'docs/jobs.md': between(
      'docs/jobs.md',
      ['other commands.\n\n', '\n\nAn address is'],
      tableOf([
        ['Kind', 'Answers each row with', 'Needs the roles'],
        ...kinds.map(([kind, terms]) => [`\`${kind}\``, terms.words.en, rolesOf(terms)]),
      ]),
    ),
    'docs/backup.md': between('docs/backup.md', ["MIRROR='", "'\npg_dump"], mirrorTables()),
    'src/core/rows/job-kinds.generated.json': jsonOf(Object.fromEntries(kinds)),
    'src/web/konto/operations.json': jsonOf(operations(kinds)),
  };
}

/** Tables of layers and of syncs, by how their names begin. */
const OF_LAYERS = [
  ...['area', 'change', 'condition', 'dated', 'feature', 'layer', 'line', 'postal'],
  ...['register', 'sync'],
];

/** How the names of all tables begin that a sync fills again. */
function mirrorTables(): string {
  const ofRegisters = Object.values(REGISTERS_CATALOGUE.registers).flatMap(({ schema }) =>
    [...storeTables(schema), schema.beside.sources, schema.beside.history].map(
      (table) => table.split('_', 1)[0] ?? table,
    ),
  );
  return [...new Set([...OF_LAYERS, ...ofRegisters])].toSorted().join('|');
}

type StatedKind = readonly [name: string, terms: KindTerms];

/** Pages and documents list them in the order in which they came. */
function statedKinds(): readonly StatedKind[] {
  const stated = QUESTIONS.flatMap(({ jobKinds }) =>
    jobKinds.flatMap(({ name, terms }) => (terms === undefined ? [] : [[name, terms] as const])),
  );
  const before = new Map<string, number>(KINDS.map((kind, place) => [kind, place]));
  const place = ([name]: StatedKind) => before.get(name) ?? KINDS.length;
  return stated.toSorted((a, b) => place(a) - place(b));
}

const jsonOf = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

function operations(kinds: readonly StatedKind[]) {
  return Object.fromEntries([
    ...QUESTIONS.map(({ key, called }) => [key, called] as const),
    ...kinds.map(([kind, { called }]) => {
      const { da, en } = called;
      return [`jobs:${kind}`, { da: `Job: ${da}`, en: `Job: ${en}` }] as const;
    }),
  ]);
}

/** Any of them will do; the document says what an address is. */
function rolesOf(terms: KindTerms): string {
  const ways = terms.roles
    .filter((roles) => !roles.includes('vej'))
    .map((roles) =>
      roles.includes('adresse') ? 'an address' : roles.map((role) => `\`${role}\``).join(' and '),
    );
  const last = ways.pop();
  return ways.length === 0 ? `${last}` : `${ways.join(', ')}, or ${last}`;
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
  for (const [path, text] of Object.entries(generatedFiles())) {
    writeFileSync(join(ROOT, path), text);
  }
}
