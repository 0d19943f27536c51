/** The commands of a document, as its readers run them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export function shellBlocks(path: string): readonly string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

export interface ShellOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly uid?: number;
  readonly gid?: number;
}

/** Throws with what it said on standard error. What it leaves running keeps nobody waiting. */
export async function runShell(text: string, options: ShellOptions): Promise<void> {
  const child = spawn('sh', ['-euc', text], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part));
  const [code] = (await once(child, 'exit')) as [number | null];
  child.stderr.destroy();
  if (code !== 0) throw new Error(`Exit code ${code} of:\n${text}\n${said}`);
}
