const longest = 200

/** Nothing is seen of these. Variation selectors, joiners and tags are parts of emoji and of some scripts. */
const unseen = /(?![\u200c-\u200d]|\ufe0e|\ufe0f|[\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/gu
/** Joiners where nothing can be joined, and tags that belong to no flag. */
const strayJoiners = /(?<=^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\s])[\u200c\u200d]+/gu
const strayTags = /(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]*)[\u{e0020}-\u{e007f}]/gu
const blanks = /[\s\p{Cc}\p{Zl}\p{Zp}\u2800]+/gu
const noText = /[\p{Cs}\p{Co}\p{Cn}]/gu
const piledMarks = /(\p{M}{4})\p{M}+/gu

/**
 * A name that a stranger chose, as one short line that reads as it is written; undefined where nothing is left. Signs
 * that turn the direction round would make another name of it before a reader's eyes, unseen ones a twin of another.
 */
export function plainText(text: string | undefined): string | undefined {
  const plain = text
    ?.slice(0, longest * 10)
    .replace(unseen, '')
    .replace(strayTags, '')
    .replace(blanks, ' ')
    .replace(noText, '')
    .replace(strayJoiners, '')
    .replace(piledMarks, '$1')
    .trim()
  return [...(plain ?? '')].slice(0, longest).join('').trimEnd() || undefined
}
