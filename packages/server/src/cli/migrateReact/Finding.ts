/** A text to be put in place of another. */
export type Edit = { readonly start: number; readonly end: number; readonly text: string; readonly line: number }

/** A place that needs a hand, and what to do there. */
export type Flag = { readonly line: number; readonly advice: string }

export type Examined = { readonly edits: readonly Edit[]; readonly flags: readonly Flag[] }
