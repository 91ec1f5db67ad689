/** Sentences of the server that people meet often, so that the languages have them too. */
export const serverSentences: readonly string[] = []
