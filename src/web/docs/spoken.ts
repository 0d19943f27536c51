/** The published document in one language: its texts are English, an empty line, Danish. */
import type { Language } from '../shared/language.ts';

export function spokenDocument(text: string, language: Language): string {
  const spoken = JSON.parse(text, (key, value: unknown) => {
    if (key === 'description' && typeof value === 'string') {
      const both = value.split('\n\n');
      return both.length === 2 ? both[language === 'da' ? 1 : 0] : value;
    }
    return isOperation(value) ? { ...value, summary: firstSentence(value.description) } : value;
  }) as unknown;
  return JSON.stringify(spoken);
}

interface Operation {
  readonly operationId: string;
  readonly description: string;
}

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'operationId' in value;
}

/** An operation's description begins with what it is called. */
function firstSentence(text: string): string {
  return text.replace(/\. .*$|\.$/s, '');
}
