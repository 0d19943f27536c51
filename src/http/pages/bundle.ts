/**
 * What browsers load: the pages of `src/web`, bundled by esbuild into files named after their content.
 * Bundled once for each content of the sources and kept beside the packages, so that only the first
 * start waits for it; where that place cannot be written, every start bundles in memory.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';
import { WEB_PAGES } from './page-list.ts';

const ROOT = join(import.meta.dirname, '../../..');
const WEB = join(ROOT, 'src/web');
const CACHE = join(ROOT, 'node_modules/.cache/geoopslag-web');

/** Files no page's code imports. */
const SHARED = { base: 'shared/base.css', ikon: 'shared/ikon.svg' } as const;

/** What one page loads: names of files. */
export interface Entry {
  readonly script: string;
  /** What the script imports, to be fetched beside it. */
  readonly imports: readonly string[];
  readonly style: string | null;
}

export interface WebBundle {
  /** Content by name. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly entries: ReadonlyMap<string, Entry>;
  /** Names of the files every page has. */
  readonly shared: Readonly<Record<keyof typeof SHARED, string>>;
}

/** As it lies in the cache. */
interface KeptBundle {
  readonly files: Readonly<Record<string, string>>;
  readonly entries: Readonly<Record<string, Entry>>;
  readonly shared: WebBundle['shared'];
}

let bundled: Promise<WebBundle> | null = null;

/** The bundle of the sources as they lay when this process first asked. */
export function webBundle(): Promise<WebBundle> {
  bundled ??= loadBundle();
  return bundled;
}

async function loadBundle(): Promise<WebBundle> {
  const path = join(CACHE, `${sourceHash()}.json`);
  let kept = readKept(path);
  if (kept === null) {
    kept = await bundleSources();
    keep(path, kept);
  }
  return {
    files: new Map(
      Object.entries(kept.files).map(([name, text]) => [name, Buffer.from(text, 'base64')]),
    ),
    entries: new Map(Object.entries(kept.entries)),
    shared: kept.shared,
  };
}

/** Of everything the bundle follows from: the sources, this file, the packages' exact versions. */
function sourceHash(): string {
  const hash = createHash('sha256');
  const sources = readdirSync(WEB, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const all = [
    ...sources,
    import.meta.filename,
    join(import.meta.dirname, 'page-list.ts'),
    join(ROOT, 'package-lock.json'),
  ];
  for (const path of all) {
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

/** Other processes may do the same at the same time: a file is there whole or not at all. */
function keep(path: string, bundle: KeptBundle): void {
  const part = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(part, JSON.stringify(bundle));
    renameSync(part, path);
  } catch {
    // A folder that cannot be written only costs the next start its time.
    rmSync(part, { force: true });
  }
}

async function bundleSources(): Promise<KeptBundle> {
  // Not loaded by a start that finds the bundle in the cache.
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
  // The bundler's process has done its work.
  await stop();
  const outputs = outputsOf(metafile);
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
    shared: {
      base: nameOf(outputs, SHARED.base),
      ikon: nameOf(outputs, SHARED.ikon),
    },
  };
}

type Outputs = ReadonlyMap<string, Metafile['outputs'][string]>;

function outputsOf(metafile: Metafile): Outputs {
  return new Map(Object.entries(metafile.outputs));
}

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
