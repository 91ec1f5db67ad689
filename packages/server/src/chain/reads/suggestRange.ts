/** How many blocks a node says that it would answer for; undefined where it says nothing that helps. */
export function suggestRange(said: string, from: number, to: number): number | undefined {
  const asked = to - from + 1
  const useful = (range: number) => (range >= 1 && range < asked ? range : undefined)
  const between = /\[?(0x[0-9a-f]+)[, -]+(?:to )?(0x[0-9a-f]+)\]?/i.exec(said)
  if (between) return useful(Number(between[2]) - Number(between[1]) + 1)
  const words = said.replaceAll(/(\d),(\d{3})/g, '$1$2')
  const range =
    /range[^0-9]{0,30}(\d+)\s*(k?)\b/i.exec(words) ??
    /(\d+)\s*(k?)[ -]?blocks?/i.exec(words) ??
    /limit(?:ed)?[^0-9]{0,20}(\d+)\s*(k?)\b/i.exec(words)
  // A number of results says nothing of a number of blocks.
  if (!range || /\b(results|logs)\b/i.test(said)) return undefined
  return useful(Number(range[1]) * (range[2] ? 1_000 : 1))
}
