/** Text made safe for XML, and the documents of this folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

/** The file `<name>.xml` with values, which are XML, in place of their names. */
export function documentOf(name: string) {
  const text = readFileSync(join(import.meta.dirname, `${name}.xml`), 'utf8');
  return (values: Readonly<Record<string, string | number>>): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, value: string) => String(values[value] ?? ''));
}
