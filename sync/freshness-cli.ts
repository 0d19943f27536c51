import { EXIT, USAGE, parseFreshness } from './freshness.ts';

const parsed = parseFreshness(process.argv.slice(2));
if (parsed.kind === 'run') {
  const { command } = parsed;
  process.exitCode = await import('./freshness-command.ts')
    .then(({ runFreshness }) => runFreshness(command))
    .catch(explain);
} else if (parsed.kind === 'help') console.log(USAGE);
else {
  console.error(`${parsed.message}\n\n${USAGE}`);
  process.exitCode = EXIT.unknown;
}

function explain(error: unknown): number {
  const causes: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  console.error(
    causes.map((cause) => (cause instanceof Error ? cause.message : String(cause))).join(' '),
  );
  return EXIT.unknown;
}
