export interface StreamEvent {
  readonly name: string;
  readonly data: string;
}

/** Of server-sent events, in pieces of any size. */
export class EventReader {
  #held = '';

  /** Returns those that are whole. */
  push(text: string): readonly StreamEvent[] {
    const blocks = (this.#held + text).split('\n\n');
    this.#held = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const lines = block.split('\n');
      const valueOf = (field: string): readonly string[] =>
        lines
          .filter((line) => line.startsWith(`${field}:`))
          .map((line) => line.slice(field.length + 1).replace(/^ /, ''));
      const data = valueOf('data');
      return data.length === 0
        ? []
        : [{ name: valueOf('event')[0] ?? 'message', data: data.join('\n') }];
    });
  }
}
