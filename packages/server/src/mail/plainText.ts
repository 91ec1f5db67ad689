/** What mail programs make links of: a scheme, `www.`, a name with a dot and letters after it, an address. */
const link = /:\/\/|www\.|@|[\p{L}\p{N}_-][.\u3002\uff61][\p{L}]{2}/iu

/** Long enough for a user name or a device; more would be a letter of its own. */
const mostLetters = 100

/**
 * A stranger's text as it may stand in a mail: one line, without characters that control, hide or turn text around, and
 * without anything that a mail program makes a link of. Whoever signs up chooses a name and to whom the mail about it
 * goes: such a mail must carry none of the chooser's words to click on.
 */
export function plainText(text: string): string {
  const clean = text
    .slice(0, 500)
    // Full-width letters and dots are links, too.
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    // Direction marks, zero-width and private characters, halves of pairs.
    .replace(/[\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu, '')
    .split(' ')
    .map((word) => (link.test(word) ? '…' : word))
    .join(' ')
    .trim()
  return [...clean].slice(0, mostLetters).join('')
}

/** Whether a text is shown as it is; one that would lose a link or hidden characters is not worth showing as a name. */
export function isPlain(text: string): boolean {
  return text.trim() !== '' && plainText(text) === text.trim().normalize('NFKC')
}
