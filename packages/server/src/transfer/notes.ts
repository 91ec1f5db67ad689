/** Notes for the report, counted by sentence. */
export type Notes = {
  add(sentence: string, example?: string): void
  /** The same for an object that does not come over. */
  refuse(sentence: string): void
  readonly refused: number
  list(): { sentence: string; count: number; example?: string }[]
}

/** Sentences hold names of fields, which a dump may have many of. */
const mostSentences = 500
const longestSentence = 500

export function createNotes(): Notes {
  const counted = new Map<string, { count: number; example?: string }>()
  let refused = 0
  const add = (text: string, example?: string) => {
    const cut = Buffer.from(text.slice(0, longestSentence)).toString().replaceAll('\0', '\uFFFD')
    const sentence = counted.has(cut) || counted.size < mostSentences ? cut : 'There are more notes than listed here.'
    const known = counted.get(sentence)
    if (known) known.count++
    else counted.set(sentence, { count: 1, ...(example !== undefined && { example: example.slice(0, 300) }) })
  }
  return {
    add,
    refuse(sentence) {
      refused++
      add(sentence)
    },
    get refused() {
      return refused
    },
    list: () => [...counted].map(([sentence, rest]) => ({ sentence, ...rest })),
  }
}
