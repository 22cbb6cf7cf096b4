// Why a guessed mapping is what it is.

/** "proven": the values allow nothing else. "likely": the header or the values say so. "unsure": a user must look. */
export type Confidence = "proven" | "likely" | "unsure";

/** About one field of the mapping. */
export type GuessNote = { field: string; confidence: Confidence; reason: string };

export class GuessNotes {
  readonly all: GuessNote[] = [];

  add(field: string, confidence: Confidence, reason: string): void {
    this.all.push({ field, confidence, reason });
  }
}
