import { parseArgs } from 'node:util';
import { COMPANIES } from '../src/layers/keys.ts';
import { MIRROR_IDS, isMirrorId } from '../src/layers/mirror-ids.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import { TERRAIN } from '../src/layers/keys.ts';
import { LIFTABLE_GUARDS, isLiftable } from './check.ts';
import type { LiftableGuard } from './check.ts';

const EVERY_CONDITION = 'forhold';

export interface Command {
  /** In catalogue order: regions before the themes that refer to them. */
  readonly layers: readonly MirrorId[];
  readonly lift: readonly LiftableGuard[];
  readonly dryRun: boolean;
  /** Only in a dry run, because the terrain is not mirrored. */
  readonly terrain: boolean;
  readonly by: string | null;
  readonly json: boolean;
}

export interface RevertCommand {
  readonly layers: readonly MirrorId[];
  /** null: the logged-in user. */
  readonly by: string | null;
  readonly json: boolean;
}

export interface ReplayCommand {
  readonly runId: string;
  readonly publish: boolean;
  readonly lift: readonly LiftableGuard[];
  readonly by: string | null;
  readonly json: boolean;
}

export type Parsed =
  | { readonly kind: 'run'; readonly command: Command }
  | { readonly kind: 'revert'; readonly command: RevertCommand }
  | { readonly kind: 'replay'; readonly command: ReplayCommand }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string };

export const USAGE = `Usage: npm run sync -- <layer…>|all [--lift guard,…] [--dry-run] [--by name] [--json]
       npm run sync -- revert <layer…> [--by name] [--json]
       npm run sync -- replay <run id> [--publish] [--lift guard,…] [--by name] [--json]

  all         every layer, regions first
  forhold     every condition
  --lift      publish although these guards refuse, this once; it is recorded with the run
  --dry-run   fetch, compare and check, but publish nothing and leave no trace; of \`${TERRAIN}\`, and of
              \`${COMPANIES}\` beside its files, ask what is asked live, once
  revert      publish the version before the present one again, and hold the layer: nothing
              syncs it until somebody asks for a sync of it; \`by\` is who it is recorded for
  replay      run an archived run again without its upstream; publishes nothing unless told to,
              and holds the layer when it does
  --by        who does it, for the trail (npm run admin -- trail); else the system's user
  --json      one JSON object a layer on standard output

Layers: ${MIRROR_IDS.join(', ')}
Guards that can be lifted: ${LIFTABLE_GUARDS.join(', ')}
Exit code: 0 every layer is up to date, 1 one failed, was refused or is being synced elsewhere,
2 the command was not understood.`;

/** Never throws. */
export function parseCommand(argv: readonly string[]): Parsed {
  const read = readArguments(argv);
  if (typeof read === 'string') return mistake(read);
  const { values, positionals } = read;
  if (values.help) return { kind: 'help' };
  if (positionals[0] === 'revert') return parseRevert(positionals.slice(1), values);
  if (positionals[0] === 'replay') return parseReplay(positionals.slice(1), values);
  if (values.publish) return mistake('--publish belongs to replay.');
  if (positionals.length === 0) return mistake('Name the layers to sync, or all.');
  const names = positionals.filter((name) => !['all', EVERY_CONDITION, TERRAIN].includes(name));
  const unknown = unknownLayers(names, ', or all');
  if (unknown !== null) return mistake(unknown);
  const lift = guardsOf(values);
  if (typeof lift === 'string') return mistake(lift);
  const layers = MIRROR_IDS.filter((id) => isNamed(id, positionals));
  const { 'dry-run': dryRun, by = null, json } = values;
  if (positionals.includes(TERRAIN) && !dryRun) {
    return mistake(`Nothing of ${TERRAIN} is mirrored; --dry-run asks its WCS once.`);
  }
  const terrain = dryRun && (positionals.includes(TERRAIN) || positionals.includes('all'));
  return { kind: 'run', command: { layers, lift, dryRun, terrain, by, json } };
}

function isNamed(id: MirrorId, names: readonly string[]): boolean {
  const isOfConditions = names.includes(EVERY_CONDITION) && id.startsWith(`${EVERY_CONDITION}_`);
  return names.includes('all') || names.includes(id) || isOfConditions;
}

/** Only by name, so that no one reverts every layer by accident. */
function parseRevert(names: readonly string[], values: Values): Parsed {
  if (names.length === 0) return mistake('Name the layers to revert.');
  if (values['dry-run'] || values.publish || values.lift.length > 0) {
    return mistake('A revert takes neither --dry-run nor --publish nor --lift.');
  }
  const unknown = unknownLayers(names, '');
  if (unknown !== null) return mistake(unknown);
  const { by = null, json } = values;
  const layers = MIRROR_IDS.filter((id) => names.includes(id));
  return { kind: 'revert', command: { layers, by, json } };
}

function parseReplay([runId, ...others]: readonly string[], values: Values): Parsed {
  if (runId === undefined || others.length > 0 || !/^\d+$/.test(runId)) {
    return mistake('Name the one run to replay by its number.');
  }
  if (values['dry-run']) return mistake('A replay is a dry run without --publish.');
  const lift = guardsOf(values);
  if (typeof lift === 'string') return mistake(lift);
  const { by = null, publish, json } = values;
  return { kind: 'replay', command: { runId, publish, lift, by, json } };
}

function guardsOf(values: Values): readonly LiftableGuard[] | string {
  const guards = values.lift.flatMap((list) => list.split(',')).filter((name) => name !== '');
  const fixed = guards.filter((name) => !isLiftable(name));
  if (fixed.length === 0) return guards.filter(isLiftable);
  return `Cannot lift: ${fixed.join(', ')}. Guards: ${LIFTABLE_GUARDS.join(', ')}.`;
}

function unknownLayers(names: readonly string[], also: string): string | null {
  const unknown = names.filter((name) => !isMirrorId(name));
  if (unknown.length === 0) return null;
  return `Unknown layer: ${unknown.join(', ')}. Layers: ${MIRROR_IDS.join(', ')}${also}.`;
}

type Values = Exclude<ReturnType<typeof readArguments>, string>['values'];

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        lift: { type: 'string', multiple: true, default: [] },
        'dry-run': { type: 'boolean', default: false },
        publish: { type: 'boolean', default: false },
        by: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    return (error as Error).message;
  }
}

function mistake(message: string): Parsed {
  return { kind: 'mistake', message };
}
