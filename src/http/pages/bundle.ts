/**
 * Bundles `src/web` with esbuild into files named by content. Cached next to the packages, else
 * rebuilt at every start; an image contains them.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { WEB_PAGES } from './page-list.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WEB = join(ROOT, 'src/web');
/** In an image only (deploy/image). */
const BUILT = join(WEB, 'built.json');
const CACHE = join(ROOT, 'node_modules/.cache/geoopslag-web');

const SHARED = { base: 'shared/base.css', ikon: 'shared/ikon.svg' } as const;

export interface Entry {
  readonly script: string;
  readonly imports: readonly string[];
  readonly style: string | null;
}

export interface WebBundle {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly shared: Readonly<Record<keyof typeof SHARED, string>>;
}

interface KeptBundle {
  readonly files: Readonly<Record<string, string>>;
  readonly entries: Readonly<Record<string, Entry>>;
  readonly shared: WebBundle['shared'];
}

let bundled: Promise<WebBundle> | null = null;

export function webBundle(): Promise<WebBundle> {
  bundled ??= loadBundle();
  return bundled;
}

async function loadBundle(): Promise<WebBundle> {
  const kept = readKept(BUILT) ?? (await bundleOfSources());
  return {
    files: new Map(
      Object.entries(kept.files).map(([name, text]) => [name, Buffer.from(text, 'base64')]),
    ),
    entries: new Map(Object.entries(kept.entries)),
    shared: kept.shared,
  };
}

/** The content of `BUILT`. */
export async function builtPages(): Promise<string> {
  return JSON.stringify(await bundleOfSources());
}

async function bundleOfSources(): Promise<KeptBundle> {
  const path = join(CACHE, `${sourceHash()}.json`);
  let kept = readKept(path);
  if (kept === null) {
    kept = await bundleSources();
    keep(path, kept);
  }
  return kept;
}

/** Covers all sources, as pages import from most rooms, and exact package versions. */
function sourceHash(): string {
  const hash = createHash('sha256');
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  for (const path of [...sources, join(ROOT, 'package-lock.json')]) {
    const content = readFileSync(path);
    hash.update(`${path.slice(ROOT.length)}:${content.byteLength}\n`).update(content);
  }
  return hash.digest('hex').slice(0, 32);
}

function readKept(path: string): KeptBundle | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as KeptBundle;
  } catch {
    return null;
  }
}

/** Atomic, because other processes may write the same. */
function keep(path: string, bundle: KeptBundle): void {
  const part = `${path}.${randomUUID()}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(part, JSON.stringify(bundle));
    renameSync(part, path);
  } catch {
    // In a read-only folder, the next start bundles again.
    rmSync(part, { force: true });
  }
}

async function bundleSources(): Promise<KeptBundle> {
  const { build, stop } = await import('esbuild');
  const inputs = [
    ...Object.entries(SHARED),
    ...WEB_PAGES.map(({ name }) => [name, `${name}/main.ts`] as const),
  ];
  const { outputFiles, metafile } = await build({
    absWorkingDir: WEB,
    entryPoints: inputs.map(([out, path]) => ({ in: path, out })),
    outdir: '.',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: ['chrome111', 'firefox114', 'safari16.4'],
    charset: 'utf8',
    entryNames: '[name]-[hash]',
    chunkNames: 'delt-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'copy' },
    logLevel: 'silent',
  });
  // Ends the bundler's process.
  await stop();
  const outputs = new Map(Object.entries(metafile.outputs));
  return {
    files: Object.fromEntries(
      outputFiles.map(({ path, contents }) => [
        path.slice(WEB.length + 1),
        Buffer.from(contents).toString('base64'),
      ]),
    ),
    entries: Object.fromEntries(
      WEB_PAGES.map(({ name }) => [name, entryOf(outputs, `${name}/main.ts`)]),
    ),
    shared: { base: nameOf(outputs, SHARED.base), ikon: nameOf(outputs, SHARED.ikon) },
  };
}

type Outputs = ReadonlyMap<string, Metafile['outputs'][string]>;

function nameOf(outputs: Outputs, input: string): string {
  for (const [name, { entryPoint, inputs }] of outputs) {
    if (
      entryPoint === input ||
      (entryPoint === undefined && name.includes('.svg') && input in inputs)
    )
      return name;
  }
  throw new Error(`The bundle has no ${input}.`);
}

function entryOf(outputs: Outputs, input: string): Entry {
  const script = nameOf(outputs, input);
  const imports = new Set<string>();
  const follow = (name: string): void => {
    for (const { path, kind } of outputs.get(name)?.imports ?? []) {
      if (kind !== 'import-statement' || imports.has(path)) continue;
      imports.add(path);
      follow(path);
    }
  };
  follow(script);
  return { script, imports: [...imports], style: outputs.get(script)?.cssBundle ?? null };
}
