/** Hands a text to the person as a file. */
export function downloadText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to save by then; an address that stays keeps its text in memory.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
