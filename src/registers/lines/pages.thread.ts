import { answerLines } from './page-writer.ts';
import { lowerThreadPriority } from '../../core/tasks/lower-priority.ts';
import type { SessionTask } from '../../core/tasks/protocol.ts';
import { serveSession } from '../../core/tasks/session.ts';

lowerThreadPriority();

export default async function run(session: SessionTask): Promise<void> {
  await serveSession(session, answerLines);
}
