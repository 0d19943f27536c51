/** Texts for people exist in both languages or not at all. */
export interface Text {
  readonly en: string;
  readonly da: string;
}

export type Language = keyof Text;
