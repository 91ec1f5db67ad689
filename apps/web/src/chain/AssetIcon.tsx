/** A circle with the beginning of a symbol: tokens name no picture on the chain. */
export function AssetIcon({ symbol }: { symbol: string }) {
  return (
    <span
      aria-hidden="true"
      className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-full bg-accent-soft text-xs font-bold text-accent sm:size-11"
    >
      <bdi>{beginningOf(symbol)}</bdi>
    </span>
  )
}

const characters = new Intl.Segmenter()

/** As much as fits into a circle: four letters, or one character of several parts, which stays whole. */
function beginningOf(text: string): string {
  let beginning = ''
  for (const { segment } of characters.segment(text.slice(0, 60))) {
    if (beginning && beginning.length + segment.length > 4) break
    beginning += segment
  }
  return beginning
}
