/** Hands a text, or parts of one that would be too long in one piece, to the person as a file. */
export function downloadText(name: string, type: string, text: string | readonly string[]): void {
  const url = URL.createObjectURL(
    new Blob(typeof text === 'string' ? [text] : [...text], { type: `${type};charset=utf-8` }),
  )
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to save by then; an address that stays keeps its text in memory.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
