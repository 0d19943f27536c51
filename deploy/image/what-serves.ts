/** What of a checkout and of its packages the running service reads; the rest stays out of an image. */

export interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** Files and folders of the checkout, from its root. */
export const PRODUCT = [
  'package.json',
  '.npmrc',
  'LICENSE',
  'own-node/check.cjs',
  'own-node/version.cjs',
  'deploy/image/health-cli.ts',
  'docs',
  'sql/migrations',
  'src',
  'sync',
  'sample',
  'workers',
] as const;

/** Where the built pages are put, from the root: read instead of bundling. */
export const BUILT_PAGES = 'src/web/built.json';

/** Only the built pages have these in them, or only their making takes them. */
const PAGES_ONLY = /^(esbuild|@esbuild\/.*|swagger-ui-dist|@scarf\/.*|@types\/.*)$/;

/** Builds for browsers beside the modules that are imported here, in folders of a package. */
const BROWSER_BUILDS = [
  'ol/dist/',
  'jsts/dist/',
  'flatgeobuf/dist/',
  'flatgeobuf/src/',
  'geotiff/dist-browser/',
  'geotiff/src/',
];

const NO_PROGRAM = /\.(map|md|markdown|flow|[cm]?tsx?)$/i;
const ASIDE = /^(tests?|__tests__|docs?|examples?|bench(marks?)?|coverage|types|\.github)\//;
/** What a licence asks to keep beside the program. */
const LEGAL = /^(licen[cs]e|copying|notice)/i;

/** Of `package-lock.json`: where a package lies, with how it is locked. */
export function servesPackage(path: string, { dev, devOptional }: LockedPackage): boolean {
  if (!path.startsWith('node_modules/') || dev === true || devOptional === true) return false;
  return !PAGES_ONLY.test(nameOf(path));
}

/** A file of a package: `path` from the package's folder. */
export function servesFile(packagePath: string, path: string): boolean {
  const file = path.split('/').at(-1) ?? '';
  if (LEGAL.test(file)) return true;
  if (NO_PROGRAM.test(file) || ASIDE.test(path)) return false;
  return !BROWSER_BUILDS.some((folder) => `${nameOf(packagePath)}/${path}`.startsWith(folder));
}

/** A file of the checkout, from its root: sources of pages are built, notes for developers stay. */
export function servesProduct(path: string): boolean {
  if (path.startsWith('src/web/')) return /\.(html|ico)$/.test(path);
  if (path.startsWith('docs/')) return /^docs\/(da\/)?[^/]+\.md$/.test(path);
  return !path.endsWith('.md');
}

function nameOf(path: string): string {
  return path.split('node_modules/').at(-1) ?? path;
}
