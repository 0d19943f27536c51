/**
 * `node deploy/image/assemble-cli.ts <folder>`: puts what serves into an empty folder, pages built. The
 * checkout has its packages (`npm ci`). The Dockerfile runs this; the folder also serves without an image.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { builtPages } from '../../src/http/pages/bundle.ts';
import { BUILT_PAGES, PRODUCT, servesFile, servesPackage, servesProduct } from './what-serves.ts';
import type { LockedPackage } from './what-serves.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Packages inside a package have entries of their own in the lock file. */
function copyPackage(path: string, out: string): void {
  const from = join(ROOT, path);
  cpSync(from, join(out, path), {
    recursive: true,
    dereference: true,
    filter: (source) => {
      const inside = relative(from, source);
      if (inside === 'node_modules') return false;
      return statSync(source).isDirectory() || servesFile(path, inside);
    },
  });
}

function copyPackages(out: string): void {
  const text = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  for (const [path, locked] of Object.entries(packages)) {
    // Optional packages of other machines are locked too, and not here.
    if (servesPackage(path, locked) && existsSync(join(ROOT, path))) copyPackage(path, out);
  }
}

function copyProduct(out: string): void {
  for (const path of PRODUCT) {
    cpSync(join(ROOT, path), join(out, path), {
      recursive: true,
      filter: (source) => statSync(source).isDirectory() || servesProduct(relative(ROOT, source)),
    });
  }
}

async function assemble(out: string): Promise<void> {
  mkdirSync(out, { recursive: true });
  if (readdirSync(out).length > 0) throw new Error(`${out} is not empty.`);
  copyProduct(out);
  copyPackages(out);
  const pages = join(out, BUILT_PAGES);
  mkdirSync(dirname(pages), { recursive: true });
  writeFileSync(pages, await builtPages());
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Which folder? node deploy/image/assemble-cli.ts <folder>');
  process.exitCode = 2;
} else {
  await assemble(resolve(folder));
  console.log(`${resolve(folder)}: node src/start/main.ts`);
}
