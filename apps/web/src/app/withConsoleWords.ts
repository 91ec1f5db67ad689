/** A part of the console, once the words that it says are there in the language that is spoken. */
export async function withConsoleWords<Part>(part: Promise<Part>): Promise<Part> {
  const words = import('../features/console/words.ts').then(({ addConsoleWords }) => addConsoleWords())
  const [loaded] = await Promise.all([part, words])
  return loaded
}
