import { lowerThreadPriority } from '../../core/tasks/lower-priority.ts';
import { answerProperties } from './batch-writer.ts';
import type { SessionTask } from '../../core/tasks/protocol.ts';
import { serveSession } from '../../core/tasks/session.ts';

lowerThreadPriority();

export default async function run(session: SessionTask): Promise<void> {
  await serveSession(session, answerProperties);
}
