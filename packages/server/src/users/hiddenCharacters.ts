import { refuse } from '@countersign/protocol'

/** Emoji that are made of several characters: what joins those is seen in what they become. Takes 50 ms to make. */
let emoji: RegExp | undefined

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * Detects invisible characters and those that change the text around them: line breaks and other control characters,
 * direction marks and overrides, zero-width and filling characters. Such a name imitates another one, or adds lines to
 * a mail.
 */
export function hasHiddenCharacters(text: string): boolean {
  if (!hidden.test(text)) return false
  // biome-ignore lint/complexity/useRegexLiterals: the compiler knows this flag only for targets from ES2024 on
  emoji ??= new RegExp('\\p{RGI_Emoji}', 'gv')
  return hidden.test(text.replace(emoji, ''))
}

/** Rejects hidden characters in names given by owners, which are shown in lists and mails. */
export function refuseHidden(text: string, field: string): void {
  if (hasHiddenCharacters(text)) throw refuse('hiddenCharacters', { field })
}
