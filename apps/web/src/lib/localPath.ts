/** The path within this application that a link of our own mails leads to, whatever host it names. */
export function localPath(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined
  const { protocol, pathname, search } = new URL(link)
  return protocol === 'http:' || protocol === 'https:' ? pathname + search : undefined
}
