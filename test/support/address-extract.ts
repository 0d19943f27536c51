/** The one reader of the real address extracts: lines of files, as rows of text under their own names. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { realFile } from './real-data.ts';

function textOf(file: string): string {
  const bytes = readFileSync(realFile(`adresser/${file}`));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.replace(/^\uFEFF/, '');
}

/** A table of the register of 2015; what is empty is ''. */
export function osakLines(file: string): readonly Readonly<Record<string, string>>[] {
  const [head = '', ...lines] = textOf(`osak2015/${file}`).split(/\r?\n/);
  const names = head.split(';');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const values = line.split(';');
      return Object.fromEntries(names.map((name, i) => [name, values[i] ?? '']));
    });
}

/** A table of DAR 1.0, every registration of it; numbers as text. */
export function darRows(entity: string): readonly Readonly<Record<string, string | null>>[] {
  return textOf(`dar10/${entity}.ndjson.gz`)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const row = JSON.parse(line) as Record<string, string | number | null>;
      return Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]),
      );
    });
}
