/**
 * How long the texts are that a caller may send, in UTF-16 units. A longer one is refused before anything is done with
 * it: normalising, hashing, matching and looking up cost more than they look, and all of them run before anyone is known.
 * What has no line here is bounded by the body of the request.
 */
export const longest = {
  username: 256,
  email: 254,
  password: 1024,
  /** Of a wallet. */
  label: 60,
  passkeyName: 80,
} as const

/** Whether a text has more characters than that, with one that takes two units counted as one. */
export function isLonger(text: string, most: number): boolean {
  return text.length > 2 * most || (text.length > most && [...text].length > most)
}
